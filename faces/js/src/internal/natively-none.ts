export function hashed(): undefined {
    return undefined;
}

export function absorbed(): false {
    return false;
}

export function portable(): undefined {
    return undefined;
}
