// Has all functions run as JavaScript: `node --import ./test/forbid.mjs`.

WebAssembly.Module = class {
    constructor() {
        throw new WebAssembly.CompileError("WebAssembly.Module(): Wasm code generation disallowed by embedder");
    }
};
await import("hashmill/javascript");
