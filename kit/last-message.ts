import { NatsError, type StoredMsg, type StreamAPI } from 'nats'

/**
 * The newest message of a stream on these subjects (a pattern), undefined where none lies there. Asked of the stream's
 * leader: any other copy, the one that a consumer reads too, may lag and tell what lay there before.
 */
export async function lastMessage(
  streams: StreamAPI,
  stream: string,
  subjects: string,
): Promise<StoredMsg | undefined> {
  try {
    return await streams.getMessage(stream, { last_by_subj: subjects })
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

/** JetStream's code for a message that is not there. */
const noMessage = 10_037

function isAbsent(error: unknown): boolean {
  return error instanceof NatsError && error.isJetStreamError() && error.jsError()?.err_code === noMessage
}
