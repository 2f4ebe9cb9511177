/** Ascon's hash functions (SP 800-232 §5), for messages that small devices hash, too. */

import { Family } from "./internal/family.js";
import {
    type HashFunction,
    type Kind,
    Xof,
    type XofOptions,
    extendable,
    outputLen,
    plain,
    withParameters,
} from "./internal/hasher.js";
import { known } from "./internal/options.js";
import { abytes } from "./utils.js";
import { code as scalar } from "./internal/wasm/ascon.scalar.js";

/** The options of Ascon-CXOF128. */
export interface AsconCustomOptions extends XofOptions {
    /** The customization string, of at most 256 bytes. It separates different uses of the function. */
    customization?: Uint8Array;
}

/** The longest customization string in bytes (SP 800-232 §5.3). */
const MOST = 256;

const family = /* @__PURE__ */ new Family("ascon", scalar, undefined, 4096);
const kind: Omit<Kind, "code"> = { family, blockLen: 8, outputLen: 32 };

function custom(): HashFunction<AsconCustomOptions> {
    const of: Kind = { ...kind, code: 76, canXOF: true };
    return withParameters<AsconCustomOptions>(of, (opts) => {
        const given = known(opts, ["dkLen", "customization"]);
        const { customization = new Uint8Array(0) } = given;
        const { length } = abytes(customization, undefined, "customization");
        if (length > MOST) throw new RangeError(`"customization" expected <= ${MOST} bytes, got ${length}`);
        return new Xof(of, outputLen(of, given), customization);
    });
}

/** Ascon-Hash256. HMAC is not defined for it, because its digest is longer than its block. */
export const asconHash256: HashFunction = /* @__PURE__ */ plain({ ...kind, code: 21 });
/** Ascon-XOF128 with 32 bytes of output, or `dkLen`. */
export const asconXof128: HashFunction<XofOptions> = /* @__PURE__ */ extendable({ ...kind, code: 22, canXOF: true });
/** Ascon-CXOF128 with 32 bytes of output, or `dkLen`. */
export const asconCxof128: HashFunction<AsconCustomOptions> = /* @__PURE__ */ custom();
