/** A server that can be used: where it is, where it came from, and how to end its use. */
export interface Server {
  readonly url: string
  readonly how: string
  stop(): Promise<void>
}

/** A server that somebody else runs, named by a setting; stopping leaves it alone. */
export function givenServer(setting: string): Server | undefined {
  const url = process.env[setting]
  if (!url) return undefined
  return { url, how: `given by ${setting}`, stop: async () => {} }
}
