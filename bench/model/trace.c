/* A plugin for qemu-user (its TCG plugin interface, version 1). It counts the instructions that the program runs in
 * functions whose name contains one text and not another. With trace=FILE it also writes each of them, four bytes. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef struct qemu_info_t qemu_info_t;
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
const char *qemu_plugin_insn_symbol(const struct qemu_plugin_insn *);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_insn_exec_cb(
    struct qemu_plugin_insn *, void (*)(unsigned, void *), int flags, void *);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *), void *);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

static const char *wanted = "";
static uint64_t count;
static FILE *trace;

static void executed(unsigned cpu, void *instruction) {
    (void)cpu;
    uint32_t word = (uint32_t)(uintptr_t)instruction;
    count++;
    if (trace) fwrite(&word, 4, 1, trace);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
        const char *symbol = qemu_plugin_insn_symbol(instruction);
        if (*wanted && (!symbol || !strstr(symbol, wanted))) continue;
        uint32_t word;
        memcpy(&word, qemu_plugin_insn_data(instruction), 4);
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, executed, 0, (void *)(uintptr_t)word);
    }
}

static void ended(qemu_plugin_id_t id, void *data) {
    (void)id, (void)data;
    fprintf(stderr, "instructions: %llu\n", (unsigned long long)count);
    if (trace) fclose(trace);
}

__attribute__((visibility("default"))) int
qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv) {
    (void)info;
    for (int i = 0; i < argc; i++) {
        if (!strncmp(argv[i], "in=", 3)) wanted = argv[i] + 3;
        if (!strncmp(argv[i], "trace=", 6) && !(trace = fopen(argv[i] + 6, "wb"))) return 1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
