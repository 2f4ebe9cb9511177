export function load(): undefined {
    return undefined;
}

export function loadStates(_family: string): undefined {
    return undefined;
}
