// Builds and tests the package in both of the compiler's modes, prints what everything costs, and fails where
// something is wrong, has drifted, or costs more than its limit. `npm test` runs it. With `--record`, it
// writes test/State.most anew, for a release.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILES, text as kernel } from '../src/kernels/generate.mjs';
import { text as answers } from './answers.mjs';
import { MODES, ROOT, compile, load, run } from './moc.mjs';
import { LIMITS, measurements, table } from './table.mjs';

const PROGRAMS = ['test/Answers.test.mo', 'test/Writers.test.mo', 'test/Traps.mo', 'bench/Instructions.mo'];
const ACTORS = ['example/Files.mo', 'test/State.mo'];
/** The replica refuses functions above 2,000, it is said; ours stay well below. */
const MOST_LOCALS = 1500;
/** What test/Traps.mo's cases must say. */
const TRAPS = [
  [/the digest is not closed/],
  [/the digest is closed/],
  [/the digest is closed/],
  [/the digest is closed/],
  [/not a shared digest of SHA-256/],
  [/not a shared digest of SHA-512/],
  [/not a shared digest of HMAC/],
  [/the message is longer than/],
  [/the message is longer than/],
];

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
    ...PROGRAMS.map((path) => ({ path, target: 'wasi' })),
    ...ACTORS.map((path) => ({ path, target: 'ic' })),
  ]);
  const say = (text) => console.log(`${name}: ${text}`);
  say(title);
  for (const { error } of compiled) if (error) fail(`${name}: ${error}`);
  if (compiled.some(({ error }) => error)) return new Map();

  const [answersTest, writersTest, traps, instructions, , state] = compiled;
  for (const [path, { wasm }] of [[PROGRAMS[0], answersTest], [PROGRAMS[1], writersTest]]) {
    const program = load(wasm);
    checkLocals(name, path, program.functions);
    const lines = [];
    const trap = run(program, (line) => lines.push(line));
    if (trap) fail(`${name}: ${path}: ${[...lines, trap].join('; ')}`);
    say(`${path}: ${lines.at(-1)}`);
  }
  checkTraps(name, traps.wasm);
  say(`test/Traps.mo: ${TRAPS.length} cases trap`);
  await checkUpgrade(name, flag, state.stable);
  const program = load(instructions.wasm);
  checkLocals(name, PROGRAMS[3], program.functions);
  const lines = [];
  const trap = run(program, (line, executed) => lines.push([line, executed]));
  if (trap) fail(`${name}: ${PROGRAMS[3]}: ${trap}`);
  return measurements(lines);
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
  const bytes = Buffer.from(wasm);
  const at = bytes.indexOf('case-0');
  for (const [i, [message]] of TRAPS.entries()) {
    bytes[at + 5] = '1'.charCodeAt(0) + i;
    const lines = [];
    const trap = run(load(bytes), (line) => lines.push(line));
    if (!trap || !message.test(lines.join())) fail(`${mode}: test/Traps.mo, case ${i + 1}: ${lines.join('; ') || 'no trap'}`);
  }
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
const measured = await Promise.all(MODES.map(checkMode));
for (const [i, { name, title }] of MODES.entries()) {
  console.log(`\nInstructions, as the Internet Computer charges them; ${title} (${name})\n`);
  const { lines, over } = table(measured[i], i === 0 ? LIMITS : {});
  console.log(lines.join('\n'));
  over.forEach(fail);
}
console.log();
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;
if (failures.length === 0) console.log('hashmill for Motoko: all is well');
