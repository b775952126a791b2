import { NatsError, type StoredMsg, type StreamAPI } from 'nats'

/**
 * The newest message of a stream on these subjects (a pattern), undefined where none lies there. Asked of the stream's
 * leader: any other copy, the one that a consumer reads too, may lag and return what lay there before.
 */
export async function lastMessage(
  streams: StreamAPI,
  stream: string,
  subjects: string,
): Promise<StoredMsg | undefined> {
  return await unlessAbsent(streams.getMessage(stream, { last_by_subj: subjects }))
}

/** The first message of a stream on these subjects from this sequence on, asked of the leader as well. */
export async function nextMessage(
  streams: StreamAPI,
  stream: string,
  subjects: string,
  sequence: number,
): Promise<StoredMsg | undefined> {
  const query = { seq: sequence, next_by_subj: subjects }
  return await unlessAbsent(streams.getMessage(stream, query))
}

async function unlessAbsent(message: Promise<StoredMsg>): Promise<StoredMsg | undefined> {
  try {
    return await message
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

/** A message of a stream by its sequence, asked of the leader as well; undefined where it is not there any more. */
export async function storedMessage(
  streams: StreamAPI,
  stream: string,
  sequence: number,
): Promise<StoredMsg | undefined> {
  return await unlessAbsent(streams.getMessage(stream, { seq: sequence }))
}

/** JetStream's code for a message that is not there. */
const noMessage = 10_037

function isAbsent(error: unknown): boolean {
  return error instanceof NatsError && error.isJetStreamError() && error.jsError()?.err_code === noMessage
}
