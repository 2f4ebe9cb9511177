/** The bytes of a file, in Node, Bun and Deno. */

/** Bytes of a part. */
const PART = 1 << 20;

/**
 * The bytes of a file from `start` to before `end`, in one buffer that is used again for all parts: a
 * stream of Node takes twice as long. What is not a regular file is read from where it is.
 */
export async function* bytesOfFile(path: string | URL, start = 0, end = Infinity): AsyncGenerator<Uint8Array> {
    const { open } = process.getBuiltinModule("node:fs").promises;
    const file = await open(path);
    try {
        const isFile = (await file.stat()).isFile();
        const buffer = new Uint8Array(Math.min(PART, end - start));
        for (let at = start; at < end; ) {
            const { bytesRead } = await file.read(buffer, 0, Math.min(PART, end - at), isFile ? at : null);
            if (bytesRead === 0) return;
            yield buffer.subarray(0, bytesRead);
            at += bytesRead;
        }
    } finally {
        await file.close();
    }
}
