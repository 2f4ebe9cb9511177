// Builds and tests the package in both of the compiler's modes, prints what everything costs, and fails where
// something is wrong, has drifted, or costs more than its limit. `npm test` runs it. A mode's
// name, `wasm64` or `wasm32`, keeps to that; `--record` writes test/State.most anew, for a release.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILES, text as kernel } from '../src/kernels/generate.mjs';
import { text as answers } from './answers.mjs';
import { MODES, ROOT, compile, load, run } from './moc.mjs';
import { LIMITS, measurements, table } from './table.mjs';
import { instrument } from './wasm.mjs';

const TESTS = 'test/Hashmill.test.mo';
const BENCH = 'bench/Instructions.mo';
const ACTORS = ['example/Files.mo', 'test/State.mo'];
/** The replica refuses functions above 2,000, it is said; ours stay well below. */
const MOST_LOCALS = 1500;
/** What test/OfTraps.mo's cases must say. */
const TRAPS = {
  1: /the digest is not closed/,
  2: /the digest is closed/,
  3: /the digest is closed/,
  4: /the digest is closed/,
  5: /not a shared digest of SHA-256/,
  6: /not a shared digest of SHA-512/,
  7: /not a shared digest of HMAC/,
  8: /the message is longer than/,
  9: /the message is longer than/,
  a: /not a shared digest of SHA-3/,
  b: /not a shared digest of BLAKE2b/,
  c: /the output of BLAKE2b has 1 to 64 bytes/,
  d: /the key of BLAKE2b has at most 64 bytes/,
  e: /the salt of BLAKE2b has at most 16 bytes/,
};

const failures = [];
const fail = (what) => failures.push(what);

function checkWritten() {
  const files = [
    ...Object.keys(FILES).map((name) => [`src/kernels/${name}`, kernel(name), 'src/kernels/generate.mjs']),
    ['test/Answers.mo', answers(), 'tools/answers.mjs'],
  ];
  for (const [path, text, writer] of files) {
    if (readFileSync(join(ROOT, path), 'utf8') !== text) fail(`${path} is not what ${writer} writes: run node ${writer}`);
  }
  if (!readFileSync(join(ROOT, 'README.md'), 'utf8').includes(readFileSync(join(ROOT, ACTORS[0]), 'utf8'))) {
    fail(`README.md does not show ${ACTORS[0]} as it is`);
  }
  console.log(`written: ${files.length} files are what their generators write`);
}

/** Everything in one mode; gives what the benchmark measured. */
async function checkMode({ name, flag, title }) {
  const compiled = await compile(flag, [
    ...[TESTS, BENCH].map((path) => ({ path, target: 'wasi' })),
    ...ACTORS.map((path) => ({ path, target: 'ic' })),
  ]);
  console.log(`${name}: ${title}`);
  for (const { error } of compiled) if (error) fail(`${name}: ${error}`);
  if (compiled.some(({ error }) => error)) return new Map();

  const [tests, bench, , state] = compiled;
  for (const [line] of runAll(name, TESTS, tests.wasm)) console.log(`${name}: ${line}`);
  checkTraps(name, tests.wasm);
  await checkUpgrade(name, flag, state.stable);
  return measurements(runAll(name, BENCH, bench.wasm));
}

/** Runs a program that must not trap; gives its lines, each with the instructions executed before it. */
function runAll(mode, path, wasm) {
  const program = load(wasm);
  checkLocals(mode, path, program.functions);
  const lines = [];
  const trap = run(program, (line, executed) => lines.push([line, executed]));
  if (trap) fail(`${mode}: ${path}: ${[...lines.slice(-2).map(([line]) => line), trap].join('; ')}`);
  return lines;
}

function checkLocals(mode, path, functions) {
  for (const { name, locals } of functions) {
    if (locals > MOST_LOCALS) fail(`${mode}: ${path}: the function ${name} has ${locals} locals, more than ${MOST_LOCALS}`);
  }
  const most = functions.reduce((a, b) => (a.locals > b.locals ? a : b));
  console.log(`${mode}: ${path}: at most ${most.locals} locals, in ${most.name}`);
}

/** The module's own text says which case it runs. */
function checkTraps(mode, wasm) {
  const bytes = Buffer.from(instrument(wasm).module);
  const at = bytes.indexOf('case-0');
  for (const [name, message] of Object.entries(TRAPS)) {
    bytes[at + 5] = name.charCodeAt(0);
    const lines = [];
    const trap = run({ module: new WebAssembly.Module(bytes) }, (line) => lines.push(line));
    if (!trap || !message.test(lines.join())) fail(`${mode}: ${TESTS}, case ${name}: ${lines.join('; ') || 'no trap'}`);
  }
  console.log(`${mode}: traps: ${Object.keys(TRAPS).length} cases`);
}

/** The stable types as released must lead to today's. */
async function checkUpgrade(mode, flag, stable) {
  const path = join(ROOT, 'test/State.most');
  if (process.argv.includes('--record')) writeFileSync(path, stable);
  const [{ error }] = await compile(flag, [{ from: readFileSync(path, 'utf8'), to: stable }]);
  if (error) fail(`${mode}: test/State.mo: an upgrade would be refused: ${error}`);
  console.log(`${mode}: test/State.mo: stable data survives an upgrade from test/State.most`);
}

checkWritten();
const named = MODES.filter(({ name }) => process.argv.includes(name));
const modes = named.length > 0 ? named : MODES;
const measured = await Promise.all(modes.map(checkMode));
for (const [i, { name, title }] of modes.entries()) {
  console.log(`\nInstructions, as the Internet Computer charges them; ${title} (${name})\n`);
  const { lines, over } = table(measured[i], name === MODES[0].name ? LIMITS : {});
  console.log(lines.join('\n'));
  over.forEach(fail);
}
console.log();
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;
if (failures.length === 0) console.log('hashmill for Motoko: all is well');
