import { authorizedFetch } from '../../shared/authorized-fetch.ts'
import { expireSession } from '../../shared/end-session.ts'
import { failureOf } from '../../shared/failure.ts'

/** Asks for all receipts as a file; throws the failure where there is none. */
export async function fetchExport(): Promise<Response> {
  const answer = await authorizedFetch(new Request('/api/receipts/export'))
  if (answer.status === 401 || answer.status === 403) expireSession()
  if (!answer.ok) throw await failureOf(answer)
  return answer
}

/** The text of an answer in the pieces in which it comes. */
export async function* textParts(answer: Response): AsyncGenerator<string> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) yield part.value
}
