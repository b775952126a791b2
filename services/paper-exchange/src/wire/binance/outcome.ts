/** A client's use of its limits, as the answer to a request has it. */
export type Used = Readonly<{ weight: number; orders?: readonly number[] }>

/** An error as the venue words it. */
export type Failure = Readonly<{
  status: number
  code: number
  message: string
  data?: unknown
  /** When the client may come back, in seconds. */
  retryAfterS?: number
}>

/** The outcome of a request, before a transport gives it its form. */
export type Outcome = Readonly<{ used?: Used } & ({ result: unknown } | { failure: Failure })>
