/** There is no native part in a browser. */

export function load(): undefined {
    return undefined;
}
