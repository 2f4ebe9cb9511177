"""Constructs of LLVM's language (its reference manual, version 22), one at a time: each has a model, or the run ends and
names it. A promise that has a model is fed once as it is kept and once as it is broken."""

import terms
from execute import Execution
from ir import Module, Unknown
from limits import Fault
from tables import pointers

PROGRAM = """target triple = "x86_64-unknown-linux-gnu"
{globals}
define {result} @f(ptr %p, i64 %x, ptr %q){after} {{
entry:
{body}
  ret {value}
}}
!0 = !{{i64 0, i64 8}}
!1 = !{{}}
!2 = !{{i64 8}}
!3 = distinct !{{!3, !4}}
!4 = distinct !{{!4}}
!5 = !{{!3}}
!6 = distinct !{{!6, !7}}
!7 = !{{!"llvm.loop.vectorize.enable", i1 true}}
!8 = !{{i64 64}}
!9 = !{{i64 0, i64 2, i64 3, i64 8}}
"""

# What is refused, with the word that the refusal must name.
REFUSED = {
    "instructions": {
        "%r = invoke i64 @g() to label %entry unwind label %entry": "invoke",
        "callbr void asm \"\", \"\"() to label %entry []": "callbr",
        "indirectbr ptr %p, [label %entry]": "indirectbr",
        "resume i64 %x": "resume",
        "%r = landingpad i64 cleanup": "landingpad",
        "%r = catchswitch within none [label %entry] unwind to caller": "catchswitch",
        "%r = cleanuppad within none []": "cleanuppad",
        "unreachable": "unreachable",
        "%r = fneg double 0": "fneg", "%r = fadd double 0, 0": "fadd", "%r = fsub double 0, 0": "fsub",
        "%r = fmul double 0, 0": "fmul", "%r = fdiv double 0, 0": "fdiv", "%r = frem double 0, 0": "frem",
        "%r = fcmp oeq double 0, 0": "fcmp", "%r = fptoui double 0 to i64": "fptoui",
        "%r = uitofp i64 %x to double": "uitofp", "%r = fpext float 0 to double": "fpext",
        "%r = addrspacecast ptr %p to ptr addrspace(1)": "addrspacecast",
        "%r = atomicrmw add ptr %p, i64 1 monotonic, align 8": "atomicrmw",
        "%r = cmpxchg ptr %p, i64 0, i64 1 monotonic monotonic, align 8": "cmpxchg",
        "fence acquire": "fence", "%r = va_arg ptr %p, i64": "va_arg",
    },
    "words": {
        "%r = load atomic i64, ptr %p acquire, align 8": "acquire",
        "%r = load atomic i64, ptr %p seq_cst, align 8": "seq_cst",
        "%r = load atomic i64, ptr %p syncscope(\"s\") monotonic, align 8": "syncscope",
        "%r = alloca i64, i64 %x, align 8": "i64", "%r = alloca inalloca i64, align 8": "inalloca",
        "%r = alloca swifterror ptr, align 8": "swifterror", "%r = alloca i64, align 8, addrspace(1)": "addrspace",
        "%r = alloca [70000 x i8], align 1": "local variables",
        "%r = getelementptr inrange(0, 8) i8, ptr %p, i64 1": "inrange",
        "%r = add fast i64 %x, 1": "fast", "%r = musttail call i64 @g()": "musttail",
        "%r = call swiftcc i64 @g()": "swiftcc", "%r = call cc 10 i64 @g()": "cc",
        "%r = call fast double @g()": "fast", "%r = call addrspace(1) i64 @g()": "addrspace",
        "call void @llvm.assume(i1 true) [ \"align\"(ptr %p, i64 64) ]": "[",
        "#dbg_value(i64 %x, !0, !DIExpression(), !0)": "#dbg_value",
        "%r = select fast i1 true, double 0, double 0": "fast",
        "%r = load i64, ptr addrspace(1) %p, align 8": "addrspace",
        "%r = load x86_fp80, ptr %p, align 8": "x86_fp80", "%r = load half, ptr %p, align 8": "half",
        "%r = load <vscale x 2 x i64>, ptr %p, align 8": "type", "%r = load target(\"a\"), ptr %p, align 8": "target",
        "%r = add i64 %x, blockaddress(@f, %entry)": "blockaddress",
        "%r = add i64 %x, add (i64 1, i64 2)": "add", "%r = add i64 %x, trunc (i128 1 to i64)": "trunc",
        "%r = load ptr, ptr dso_local_equivalent @f, align 8": "dso_local_equivalent",
        "uselistorder i64 %x, { 1, 0 }": "uselistorder",
    },
    "assembly": {
        "%r = call i64 asm \"mov ${0:q}, ${1:q}\", \"=&r,r\"(i64 %x)": "AT&T",
        "%r = call i64 asm inteldialect unwind \"\", \"=&r,0\"(i64 %x)": "unwind",
        "%r = call i64 asm inteldialect \"\", \"=*m,0\"(i64 %x)": "=*m",
        "%r = call i64 asm inteldialect \"\", \"=r,r\"(i64 %x)": "share its register",
        "%r = call i64 asm inteldialect \"\", \"=&rm|r,r\"(i64 %x)": "=&rm|r",
        "%r = call i64 asm inteldialect \"nop\", \"=&r,0\"(i64 %x)": "nop",
        "%r = call i64 asm inteldialect \"add ${0:q}, 1\", \"=&r,0\"(i64 %x)": "flags",
        "%r = call i64 asm inteldialect \"rorx ${0:q}, ${0:q}, 1\", \"=&r,0\"(i64 %x)": "bmi2",
        "%r = call i64 asm inteldialect \"mov rbx, ${1:q}\", \"=&r,0\"(i64 %x)": "no output",
        "%r = call i64 asm inteldialect \"mov ${1:q}, 0\", \"=&r,r\"(i64 %x)": "no output",
        "%r = call i64 asm inteldialect \"mov ${0:k}, ${1:q}\", \"=&r,r\"(i64 %x)": "no output",
        "%r = call i64 asm inteldialect \"mov ${0:q}, [${1:q}]\", \"=&r,r\"(i64 %x)": "no word",
        "%r = call i64 asm inteldialect \"mov ${0:q}, ${1:q} # note\", \"=&r,r\"(i64 %x)": "no word",
    },
    "attributes of parameters and results": {
        f"%r = call i64 @g(ptr {word} %p)": word.split("(")[0] for word in (
            "byval(i64)", "byref(i64)", "preallocated(i64)", "inalloca(i64)", "elementtype(i64)", "nest", "swiftself",
            "swiftasync", "swifterror", "nofpclass(nan)", "alignstack(8)", "allocptr", "allocalign",
        )
    },
    "attributes of functions": {
        f"|{word}": word.strip("\"").split("\"")[0].split("(")[0] for word in (
            "naked", "returns_twice", "strictfp", "null_pointer_is_valid", "presplitcoroutine", "sanitize_address",
            "convergent", "optnone", "jumptable", "safestack", "shadowcallstack", "vscale_range(1,2)", "hybrid_patchable",
            "allocsize(0)", "allockind(\"alloc\")", "sspstrong", "\"denormal-fp-math\"=\"preserve-sign\"",
            "\"unsafe-fp-math\"=\"true\"", "\"patchable-function\"=\"prologue-short-redirect\"", "\"no-builtins\"",
        )
    },
    "metadata": {
        f"%r = load i64, ptr %p, align 8, !{word} !1": word for word in (
            "tbaa", "tbaa.struct", "nontemporal", "fpmath", "dereferenceable", "dereferenceable_or_null", "callees",
            "invariant.group", "llvm.access.group", "llvm.mem.parallel_loop_access", "type", "absolute_symbol", "nosanitize", "mmra",
            "dbg", "annotation", "noalias.addrspace", "implicit.ref", "noundef.other",
        )
    } | {
        "br label %next, !llvm.loop !6\n\nnext:": "llvm.loop.vectorize.enable",
        "%r = load i64, ptr %p, align 8, !range !{i64 0, i64 8}": "range",
        "%r = load i64, ptr %p, align 8, !range !9": "several ranges",
    },
    "globals and modules": {
        f"={line}": word for line, word in (
            ("module asm \"nop\"", "module"), ("$c = comdat any", "$c"), ("@a = alias i64, ptr @g", "alias"),
            ("@a = ifunc i64, ptr @g", "ifunc"), ("@a = external global i64", "external"),
            ("@a = weak constant i64 0", "weak"), ("@a = linkonce_odr constant i64 0", "linkonce_odr"),
            ("@a = available_externally constant i64 0", "available_externally"), ("@a = common global i64 0", "common"),
            ("@a = thread_local constant i64 0", "thread_local"), ("@a = addrspace(1) constant i64 0", "addrspace"),
            ("@a = externally_initialized constant i64 0", "externally_initialized"),
            ("@a = constant i64 0, section \"s\"", "section"), ("@a = constant i64 0, comdat", "comdat"),
            ("target datalayout = \"E-m:e-i128:128\"", "layout"), ("uselistorder ptr @a, { 1, 0 }", "uselistorder"),
        )
    },
    "definitions": {
        "define weak void @h() {": "weak", "define linkonce_odr void @h() {": "linkonce_odr", "define void @h() gc \"a\" {": "gc",
        "define void @h() prefix i64 0 {": "prefix", "define void @h() section \"s\" {": "section",
        "define void @h() addrspace(1) {": "addrspace", "define x86_fastcallcc void @h() {": "x86_fastcallcc",
        "define void @h(...) {": "type", "define void @h() comdat {": "comdat",
    },
    "promises that are not kept": {
        "%r = load i64, ptr %p, align 8, !range !0": "range", "%r = load i64, ptr %q, align 8, !noundef !1": "noundef",
        "%r = load ptr, ptr %p, align 8, !nonnull !1": "nonnull", "store ptr %q, ptr %p, align 8\n%r = load ptr, ptr %p, align 8, !align !8": "align",
        "%r = load i64, ptr %p, align 8, !invariant.load !1": "invariant.load",
        "%r = load i64, ptr %p, align 16": "misaligned",
        "%r = load i64, ptr %p, align 8, !alias.scope !5\nstore i64 0, ptr %p, align 8, !noalias !5": "noalias",
        "%r = call i64 @g(i64 range(i64 0, 8) %x)": "range", "%r = call range(i64 0, 8) i64 @g(i64 %x)": "range",
        "%r = call i64 @g(i64 noundef undef)": "noundef", "%r = call noundef i64 @g(i64 poison)": "noundef",
        "%r = call i64 @g(ptr nonnull null)": "nonnull", "%r = call i64 @g(ptr align 16 %p)": "align",
        "%r = call i64 @g(ptr dereferenceable(65) %p)": "outside", "%r = call i64 @g(ptr sret([65 x i8]) %p)": "outside",
        "%r = call i64 @set(ptr noalias %p, ptr %p)": "noalias", "%r = call i64 @set(ptr readonly %p, ptr %q)": "readonly",
        "%r = call i64 @get(ptr writeonly %p)": "writeonly", "%r = call i64 @get(ptr readnone %p)": "readnone",
        "%r = call i64 @get(ptr %p) #1": "memory", "%r = call i64 @set(ptr %p, ptr %q) #2": "memory",
        "%r = call i64 @once(ptr %p)": "returned", "%r = call i64 @never()": "noreturn", "call fastcc void @nothing()": "convention",
        "%a = alloca i64, align 8\nstore i64 0, ptr %a, align 8\n%r = tail call i64 @get(ptr %a)": "tail",
        "%r = call i64 @again(i64 1)": "norecurse",
        "%r = add nuw i64 %x, 1\nstore i64 %r, ptr %p, align 8": "nuw", "%r = add nsw i64 %x, 1": "nsw",
        "%r = or disjoint i64 %x, 1": "disjoint", "%r = lshr exact i64 %x, 1": "exact", "%r = zext nneg i64 %x to i128": "cast",
        "%r = trunc nuw i64 %x to i32": "cast", "%r = icmp samesign ult i64 %x, 1": "signs",
        "%r = getelementptr inbounds i8, ptr %p, i64 65\n%s = getelementptr i8, ptr %r, i64 -65\nstore i64 0, ptr %s, align 8": "depends on data",
        "%r = getelementptr nuw i8, ptr %p, i64 -8\n%s = getelementptr i8, ptr %r, i64 8\nstore i64 0, ptr %s, align 8": "depends on data",
        "%r = freeze i64 poison": "noundef", "call void @llvm.assume(i1 false)": "assumption",
        "%a = alloca i64, align 8\nstore i64 0, ptr %a, align 8\ncall void @llvm.lifetime.end.p0(ptr %a)\n"
        "%r = load i64, ptr %a, align 8, !noundef !1": "noundef",
        "%s = getelementptr i8, ptr %p, i64 8\ncall void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %s, i64 16, i1 false)": "overlap",
        "call void @llvm.memcpy.p0.p0.i64(ptr align 16 %p, ptr %q, i64 16, i1 false)": "align",
        "br label %next\n\nnext:\nbr label %next": "may never end",
    },
    "addresses": {
        "%a = ptrtoint ptr %p to i64\n%b = and i64 %a, 8\n%c = icmp eq i64 %b, 0\nbr i1 %c, label %a1, label %a2\n\na1:\nbr label %a2\n\na2:": "address",
        "%c = icmp ult ptr %p, %q\nbr i1 %c, label %a1, label %a2\n\na1:\nbr label %a2\n\na2:": "address",
        "%s = alloca ptr, align 8\nstore ptr %s, ptr %s, align 8\n%a = load i16, ptr %s, align 8\n"
        "switch i16 %a, label %a1 [ i16 0, label %a2 ]\n\na1:\nbr label %a2\n\na2:": "address",
    },
}

# What has a model and is fed as it must be.
MODELLED = [
    "%r = load volatile i64, ptr %p, align 8", "%r = load atomic i64, ptr %p monotonic, align 8",
    "store atomic volatile i64 0, ptr %p unordered, align 8", "%r = notail call i64 @g(i64 %x)",
    "%r = load i64, ptr %p, align 8, !noundef !1, !prof !1, !unpredictable !1, !srcloc !1",
    "%y = and i64 5, 7\nstore i64 %y, ptr %p, align 8\n%r = load i64, ptr %p, align 8, !range !0",
    "store ptr %q, ptr %p, align 8\n%r = load ptr, ptr %p, align 8, !nonnull !1, !align !2, !noundef !1",
    "%r = call i64 @g(i64 noundef zeroext signext inreg noext %x)", "%r = call i64 @get(ptr nofree captures(none) readonly nonnull align 8 dereferenceable(64) %p)",
    "%r = call i64 @set(ptr noalias writeonly writable dead_on_unwind %p, ptr noalias %q)", "%r = call i64 @get(ptr dereferenceable_or_null(8) %p) #3",
    "%r = getelementptr inbounds nuw nusw i8, ptr %p, i64 64", "%r = freeze i64 %x",
    "%y = and i64 5, 7\n%r = add nuw nsw i64 %y, 1\n%s = or disjoint i64 %y, 8\n%t = zext nneg i64 %y to i128",
    "%r = call i64 asm sideeffect inteldialect alignstack \"/* ${0:q} */\", \"=&r,0,~{memory}\"(i64 %x)",
    "%r = call i64 asm inteldialect \"mov ${0:q}, ${1:q}\", \"=&r,r\"(i64 %x)", "call void asm sideeffect \"\", \"r,~{memory}\"(ptr %p)",
    "%c = icmp eq ptr %p, null\nbr i1 %c, label %never, label %ever\n\nnever:\nunreachable\n\never:",
    "%a = ptrtoint ptr %p to i64\n%b = and i64 %a, 7\n%c = icmp eq i64 %b, 0\nbr i1 %c, label %ever, label %never\n\nnever:\nunreachable\n\never:",
    "%a = ptrtoint ptr %p to i64\n%b = inttoptr i64 %a to ptr\nstore i64 0, ptr %b, align 8",
    "call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %p, i64 16, i1 false)",
]

HELPERS = """
define i64 @g(i64 %x) {
  ret i64 %x
}
define i64 @get(ptr %p) {
  %r = load i64, ptr %p, align 8
  ret i64 %r
}
define i64 @set(ptr %p, ptr %q) {
  store i64 0, ptr %p, align 8
  ret i64 0
}
define i64 @once(ptr returned %p) {
  ret i64 0
}
define i64 @never() #4 {
  ret i64 0
}
define void @nothing() {
  ret void
}
define i64 @again(i64 %x) #5 {
  %c = icmp eq i64 %x, 0
  br i1 %c, label %end, label %more

more:
  %y = call i64 @again(i64 0)
  br label %end

end:
  ret i64 0
}
attributes #1 = { memory(none) }
attributes #2 = { memory(read, inaccessiblemem: readwrite) }
attributes #3 = { mustprogress nofree nounwind willreturn memory(argmem: read) uwtable "probe-stack"="inline-asm" }
attributes #4 = { noreturn }
attributes #5 = { norecurse }
"""


def run(text):
    """Runs a program of one construct."""
    globals, after, body, helpers = "", "", "", HELPERS
    if text.startswith("|"):
        helpers, after = HELPERS + f"attributes #9 = {{ {text[1:]} }}\n", " #9"
    elif text.startswith("="):
        globals, body = text[1:], "%r = load i64, ptr @a, align 8" if text.startswith("=@a") else ""
    elif text.startswith("define"):
        globals, body = f"{text}\n  ret void\n}}", "call void @h()"
    else:
        body = text
    terms.reset()
    program = PROGRAM.format(globals=globals + helpers, after=after, body=indented(body), result="void", value="void")
    execution = Execution(Module(program), lambda term: False)
    p, q = (execution.memory.allocate(name, 64, 8) for name in "pq")
    p.bytes = [(word, 8 * i) for word in [terms.var(f"word {n}", 64) for n in range(8)] for i in range(8)]
    execution.call("f", [p.base, terms.var("x", 64), q.base], lambda _: None)


def indented(body):
    return "\n".join(line if line.endswith(":") or not line else f"  {line}" for line in body.split("\n"))


def check_tables():
    """Every function in a table of backends is found, by whatever name and however many have one path."""
    define = "; hashmill::{}\ndefine void @{}() {{\n  ret void\n}}\n"
    paths = [("sha2::x::absorb", "a"), ("sha2::x::absorb", "b"), ("hidden", "c"), ("more", "d"), ("other", "e")]
    table = "@{} = private constant <{{ ptr, [1 x i8], ptr, ptr }}> <{{ ptr @{}, [1 x i8] c\"\\07\", ptr @{}, ptr @{} }}>\n"
    globals = table.format("t", "a", "b", "u") + table.format("u", "v", "c", "d") + table.format("v", "u", "v", "v")
    globals += table.format("other", "e", "e", "e") + "".join(define.format(*each) for each in paths)
    program = PROGRAM.format(globals=globals, after="", body="", result="void", value="void")
    found = [(path.removeprefix("hashmill::"), name) for path, name, _ in pointers(Module(program))]
    assert found == paths[:4], found


def check():
    """How many constructs are refused and how many have a model."""
    check_tables()
    for kind, constructs in REFUSED.items():
        for text, word in constructs.items():
            try:
                run(text)
            except (Fault, Unknown) as refusal:
                assert word in str(refusal).split(": %")[0], f"{kind}: {text} is refused without its name: {refusal}"
            else:
                raise AssertionError(f"{kind}: {text} is not refused")
    for text in MODELLED:
        run(text)
    return sum(map(len, REFUSED.values())), len(MODELLED)


if __name__ == "__main__":
    print(check())
