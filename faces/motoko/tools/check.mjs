// Builds and tests the package in both of the compiler's modes and prints the instruction counts.
// It fails if a test fails, if a generated file or a table is out of date, or if a count exceeds
// its limit. `npm test` runs it. With the name of a mode, `wasm64` or `wasm32`, it runs only that
// mode. `--tables` writes the tables in README.md. `--record` writes test/State.most, for a
// release.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILES, text as kernel } from '../src/kernels/generate.mjs';
import { FILES as HMAC_FILES } from '../src/hmac/generate.mjs';
import { text as answers } from './answers.mjs';
import { MODES, ROOT, compile, load, run } from './moc.mjs';
import { JOBS, sizes } from './sizes.mjs';
import { LIMITS, measurements, table } from './table.mjs';

const TESTS = 'test/Hashmill.test.mo';
const MOPS_BENCH = 'bench/Hashes.bench.mo';
const ACTORS = ['example/Files.mo', 'test/State.mo'];
/**
 * The limit for the locals of a function. The replica is said to refuse functions with more than
 * 2,000; this limit stays well below.
 */
const MOST_LOCALS = 1500;
/** The messages with which the cases of test/OfTraps.mo must trap. */
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
  f: /HKDF gives at most 255 tags/,
  g: /PBKDF2 needs at least one iteration/,
  h: /not a shared digest of this algorithm/,
  j: /not a shared digest of this algorithm/,
  k: /the digest is closed/,
  l: /not a shared digest of HMAC/,
  m: /the message is longer than/,
  n: /the message is longer than/,
  o: /not a shared digest of BLAKE3/,
  p: /the key of BLAKE3 has 32 bytes/,
  q: /the digest is not closed/,
  r: /the customization string of Ascon-CXOF128 has at most 256 bytes/,
  s: /not a shared digest of Ascon/,
  t: /not a shared digest of SM3/,
};

const failures = [];
const fail = (what) => failures.push(what);

function checkWritten() {
  const files = [
    ...Object.keys(FILES).map((name) => [`src/kernels/${name}`, kernel(name), 'src/kernels/generate.mjs']),
    ...Object.keys(HMAC_FILES).map((name) => [`src/hmac/${name}`, HMAC_FILES[name](), 'src/hmac/generate.mjs']),
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

/** Checks the requirements of mops for a package. */
function checkPackage() {
  const read = (path) => readFileSync(join(ROOT, path), 'utf8');
  const value = (key) => read('mops.toml').match(new RegExp(`^${key} = "(.*)"$`, 'm'))?.[1];
  if (!read('CHANGELOG.md').includes(`\n## ${value('version')} `)) fail('CHANGELOG.md does not have the version of mops.toml');
  if (value('license') !== JSON.parse(read('package.json')).license) fail('mops.toml and package.json name different licenses');
  for (const license of ['LICENSE-MIT', 'LICENSE-APACHE']) {
    if (!read('LICENSE').includes(read(`../../${license}`))) fail(`LICENSE does not contain ${license}`);
  }
  for (const name of readdirSync(join(ROOT, 'test')).filter((n) => n.endsWith('.test.mo'))) {
    if (!read(`test/${name}`).startsWith('// @testmode wasi\n')) fail(`test/${name} does not say in which mode mops runs it`);
  }
}

/** Compiles and checks everything in one mode. Returns the measurements of the benchmark. */
async function checkMode({ name, flag, title }) {
  const compiled = await compile(flag, [
    { path: TESTS, target: 'wasi' },
    ...ACTORS.map((path) => ({ path, target: 'ic' })),
    ...(name === MODES[0].name ? [{ path: MOPS_BENCH, target: 'check' }, ...readmeExamples()] : []),
  ]);
  console.log(`${name}: ${title}`);
  for (const { error } of compiled) if (error) fail(`${name}: ${error}`);
  if (compiled.some(({ error }) => error)) return undefined;

  const [tests, , state] = compiled;
  const program = load(tests.wasm);
  for (const [line] of runAll(name, program)) console.log(`${name}: ${line}`);
  checkTraps(name, program);
  await checkUpgrade(name, flag, state.stable);
  return measurements(runCase(program, 'i').lines);
}

/**
 * Returns the examples in README.md that are only type-checked. The one that is also a file is
 * compiled.
 */
function readmeExamples() {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const texts = [...readme.matchAll(/```motoko\n([^]*?)```/g)].map(([, text]) => text);
  const inFile = readFileSync(join(ROOT, ACTORS[0]), 'utf8');
  return texts.filter((text) => text !== inFile).map((text, i) => ({ path: `README-${i + 1}.mo`, target: 'check', text }));
}

/** Measures the bytes that each module adds to a canister, in the default mode. */
async function checkSizes() {
  const compiled = await compile(MODES[0].flag, JOBS);
  for (const [i, { error }] of compiled.entries()) if (error) fail(`${JOBS[i].name}: ${error}`);
  return compiled.some(({ error }) => error) ? [] : report(sizes(compiled));
}

function report({ lines, over }) {
  over.forEach(fail);
  return lines;
}

/** Runs the tests. Returns the lines they print, each with the instructions executed before it. */
function runAll(mode, program) {
  checkLocals(mode, TESTS, program.functions);
  const lines = [];
  const trap = run(program, (line, executed) => lines.push([line, executed]));
  if (trap) fail(`${mode}: ${TESTS}: ${[...lines.slice(-2).map(([line]) => line), trap].join('; ')}`);
  return lines;
}

/** Runs one case of the tests. A text in the compiled module selects the case. */
function runCase(program, name) {
  const lines = [];
  const trap = run(program.withText('case-0', `case-${name}`), (line, executed) => lines.push([line, executed]));
  return { lines, trap };
}

function checkLocals(mode, path, functions) {
  for (const { name, locals } of functions) {
    if (locals > MOST_LOCALS) fail(`${mode}: ${path}: the function ${name} has ${locals} locals, more than ${MOST_LOCALS}`);
  }
  const most = functions.reduce((a, b) => (a.locals > b.locals ? a : b));
  console.log(`${mode}: ${path}: at most ${most.locals} locals, in ${most.name}`);
}

function checkTraps(mode, program) {
  for (const [name, message] of Object.entries(TRAPS)) {
    const { lines, trap } = runCase(program, name);
    const text = lines.map(([line]) => line).join('; ');
    if (!trap || !message.test(text)) fail(`${mode}: ${TESTS}, case ${name}: ${text || 'no trap'}`);
  }
  console.log(`${mode}: traps: ${Object.keys(TRAPS).length} cases`);
}

/** Checks that an upgrade from the released stable types to the current ones is possible. */
async function checkUpgrade(mode, flag, stable) {
  const path = join(ROOT, 'test/State.most');
  if (process.argv.includes('--record')) writeFileSync(path, stable);
  const [{ error }] = await compile(flag, [{ from: readFileSync(path, 'utf8'), to: stable }]);
  if (error) fail(`${mode}: test/State.mo: an upgrade would be refused: ${error}`);
  console.log(`${mode}: test/State.mo: stable data survives an upgrade from test/State.most`);
}

/**
 * Checks that the tables in README.md, between `<!-- name -->` and `<!-- / -->`, contain the
 * measured numbers. A difference of half a percent is allowed, because the contents of memory, and
 * so the text of the tests, change the counts by a few instructions.
 */
function checkTables(tables) {
  const path = join(ROOT, 'README.md');
  const old = readFileSync(path, 'utf8');
  const written = new Set();
  const text = old.replace(/(<!-- (\w+) -->\n)([^]*?)(<!-- \/ -->)/g, (all, begin, name, lines, end) => {
    written.add(name);
    const measured = `${tables[name]?.join('\n')}\n`;
    return areAlike(lines, measured) ? all : `${begin}${measured}${end}`;
  });
  for (const name of Object.keys(tables)) if (!written.has(name)) fail(`README.md: the table ${name} is missing`);
  const [, , ofSha256] = tables.blocks;
  const perBlock = `A block of SHA-256 takes ${ofSha256.split(' | ')[2]} instructions from a \`Blob\``;
  if (!readFileSync(join(ROOT, '../../README.md'), 'utf8').includes(perBlock)) fail(`the README.md of the project does not say: ${perBlock}`);
  if (process.argv.includes('--tables')) writeFileSync(path, text);
  else if (text !== old) fail('README.md: its tables are not what was measured: run node tools/check.mjs --tables');
}

/**
 * Returns whether two texts are equal, apart from numbers that differ by at most half a percent.
 */
function areAlike(a, b) {
  const NUMBER = /(?<![\w.-])\d[\d,]*(\.\d+)?(?!\w)/g;
  const numbers = (text) => (text.match(NUMBER) ?? []).map((n) => Number(n.replaceAll(',', '')));
  const [x, y] = [numbers(a), numbers(b)];
  return a.replace(NUMBER, '') === b.replace(NUMBER, '') && x.every((n, i) => Math.abs(n - y[i]) <= 0.005 * y[i]);
}

checkWritten();
checkPackage();
const named = MODES.filter(({ name }) => process.argv.includes(name));
const modes = named.length > 0 ? named : MODES;
const [added, ...measured] = await Promise.all([modes.includes(MODES[0]) ? checkSizes() : [], ...modes.map(checkMode)]);
for (const [i, { name, title }] of modes.entries()) {
  if (!measured[i]) continue;
  console.log(`\nInstructions, as the Internet Computer charges them; ${title} (${name})`);
  const { tables, over } = table(measured[i], name === MODES[0].name ? LIMITS : {});
  for (const lines of Object.values(tables)) console.log(`\n${lines.join('\n')}`);
  over.forEach(fail);
  if (name === MODES[0].name) checkTables({ ...tables, sizes: added });
}
console.log(`\n${added.join('\n')}\n`);
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;
if (failures.length === 0) console.log('hashmill for Motoko: all is well');
