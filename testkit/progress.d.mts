export function phase<T>(label: string, work: () => Promise<T>): Promise<T>
