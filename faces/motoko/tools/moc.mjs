// The Motoko compiler of npm's `motoko`, and a run of what it compiles.

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import v8 from 'node:v8';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { instrument } from './wasm.mjs';

// Named for engines where it is not yet the default.
v8.setFlagsFromString('--experimental-wasm-memory64');
// The kernels' functions are long: V8's compilers take longer over them than they run.
v8.setFlagsFromString('--no-wasm-tier-up');
v8.setFlagsFromString('--wasm-lazy-compilation');

/** The compiler's modes; the first is its default. */
export const MODES = [
  { name: 'wasm64', flag: 'enhancedOP', title: 'enhanced orthogonal persistence, 64 bits' },
  { name: 'wasm32', flag: 'classicOP', title: 'classic persistence, 32 bits' },
];

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['src', 'src/compat', 'src/hmac', 'src/kernels', 'src/reference', 'test', 'bench', 'example', 'tools/stand-ins/bench'];

/**
 * Compiles, in the mode of the given flag, each of `jobs`: `{ path, target }` with the target `wasi` for
 * programs, `ic` for actors, and `check` for what is to be type-checked only; with a `text`, that instead of a
 * file's. Gives for each `{ wasm, stable }`, the latter an actor's stable types, or `{ error }`; for a job `{ from, to }` of two stable types, `{ error }` where no upgrade leads from one to
 * the other.
 *
 * The compiler recurses deeply: it needs a far larger stack than the main thread has, and dies without a
 * word when that is used up.
 */
export function compile(flag, jobs) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url), {
      workerData: { flag, jobs },
      resourceLimits: { stackSizeMb: 900, maxOldGenerationSizeMb: 4096 },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

if (!isMainThread) {
  const require = createRequire(import.meta.url);
  const moc = require('motoko').default;
  moc.compiler.gcFlags(workerData.flag);
  for (const folder of FOLDERS) {
    for (const name of readdirSync(join(ROOT, folder)).filter((n) => n.endsWith('.mo'))) {
      moc.write(`${folder}/${name}`, readFileSync(join(ROOT, folder, name), 'utf8'));
    }
  }
  moc.usePackage('hashmill', 'src');
  moc.usePackage('bench', 'tools/stand-ins/bench');
  moc.loadPackage(require('motoko/packages/latest/core.json'));
  parentPort.postMessage(workerData.jobs.map((job) => (job.path ? compileOne(moc, job) : upgradeOne(moc, job))));
}

function compileOne(moc, { path, target, text }) {
  try {
    if (text !== undefined) moc.write(path, text);
    if (target === 'check') return checkOne(moc, path);
    const { wasm, stable } = moc.wasm(path, target);
    return { wasm, stable };
  } catch (error) {
    return { error: `${path}: ${error.message}` };
  }
}

function checkOne(moc, path) {
  const errors = moc.check(path).filter(({ severity }) => severity === 1);
  if (errors.length === 0) return {};
  return { error: errors.map(({ source, range, message }) => `${source}:${range?.start.line + 1}: ${message}`).join('; ') };
}

function upgradeOne(moc, { from, to }) {
  moc.write('from.most', from);
  moc.write('to.most', to);
  const { diagnostics } = moc.compiler.stableCompatible('from.most', 'to.most');
  const errors = diagnostics.filter(({ severity }) => severity === 1).map(({ message }) => message);
  return errors.length > 0 ? { error: errors.join('; ') } : {};
}

/**
 * Makes `wasm` count (see `instrument`) and compiles it for this machine. `withText` gives the same program with one
 * text in it replaced by another of the same length.
 */
export function load(wasm) {
  const { module, functions } = instrument(wasm);
  const withText = (from, to) => {
    const bytes = Buffer.from(module);
    bytes.write(to, bytes.indexOf(from));
    return { module: new WebAssembly.Module(bytes) };
  };
  return { module: new WebAssembly.Module(module), functions, withText };
}

/**
 * Runs a program. Every line that it prints is passed to `print` with the instructions executed so far.
 * Gives the trap's message, or null.
 */
export function run({ module }, print) {
  let line = '';
  const decoder = new TextDecoder();
  const fd_write = (_fd, vectors, count, written) => {
    const executed = instance.exports.instructions.value;
    const view = new DataView(instance.exports.memory.buffer);
    let length = 0;
    for (let at = vectors; at < vectors + 8 * count; at += 8) {
      const size = view.getUint32(at + 4, true);
      line += decoder.decode(new Uint8Array(view.buffer, view.getUint32(at, true), size), { stream: true });
      length += size;
    }
    view.setUint32(written, length, true);
    const lines = line.split('\n');
    line = lines.pop();
    for (const text of lines) print(text, executed);
    return 0;
  };
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: { fd_write } });
  try {
    instance.exports._start();
    return null;
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) return error.message;
    throw error;
  }
}
