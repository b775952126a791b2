import { z } from 'zod'
import { parseJson } from '../../read/parse-json.ts'

const Frame = z.looseObject({ op: z.string().optional(), topic: z.string().optional() })

/** A frame of the venue on a private stream. */
export type Frame = z.infer<typeof Frame>

/** Sends a frame and settles with the answer to it; throws where the venue refuses it. */
export type AskFrame = (frame: { op: string; args: readonly unknown[] }) => Promise<void>

/** The questions and answers on a socket, of which one of a kind is asked at a time. */
export interface SocketRequests {
  send: (send: (text: string) => void) => AskFrame
  /** Receives a frame, and passes it on; undefined where it is none. */
  receive: (text: string) => Frame | undefined
}

/** A talk in which nothing was asked. */
export function createSocketRequests(): SocketRequests {
  const asked = new Map<string, (isDone: boolean) => void>()
  return {
    send: (send) => async (frame) => {
      const answered = new Promise<boolean>((resolve) => asked.set(frame.op, resolve))
      send(JSON.stringify(frame))
      if (!(await answered)) throw new Error(`${frame.op} refused`)
    },
    receive: (text) => {
      const frame = readFrame(text)
      if (frame?.op !== undefined) asked.get(frame.op)?.(frame['success'] === true || frame['retCode'] === 0)
      return frame
    },
  }
}

function readFrame(text: string): Frame | undefined {
  try {
    return Frame.parse(parseJson(text))
  } catch {
    return undefined
  }
}
