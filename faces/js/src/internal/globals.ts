/**
 * Types of the web, which a program without TypeScript's library "dom" does not have: there, nothing is
 * assignable to them.
 */

type Global<Name extends string> = typeof globalThis extends Record<Name, { prototype: infer T }> ? T : never;

export type Blob = Global<"Blob">;
export type AbortSignal = Global<"AbortSignal">;
export type Worker = Global<"Worker">;
export type URL = Global<"URL">;
type AnyReadable = Global<"ReadableStream">;
type AnyWritable = Global<"WritableStream">;
/** Streams of bytes. */
export type ReadableBytes = AnyReadable;
export type WritableBytes = AnyWritable;

/** A compiled module: `WebAssembly.Module`. */
export interface CompiledModule {
    readonly compiled?: never;
}
