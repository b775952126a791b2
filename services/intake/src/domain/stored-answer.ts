import { cutText } from '@tripline/proto/cut-text'
import type { WebhookAnswer } from '@tripline/proto/http/webhook'

/** The most that is stored of one answer. */
const mostBytes = 16_384
const errorBytes = 512

/** Returns the answer as it is stored for repeats: as a whole, or if that is too large without its results. */
export function storedAnswer(answer: WebhookAnswer): { answer: WebhookAnswer; bytes: number } {
  const { length: bytes } = new TextEncoder().encode(JSON.stringify(answer))
  if (bytes <= mostBytes) return { answer, bytes }
  return { answer: shortAnswer(answer), bytes: 0 }
}

/** The answer without its results, which the history has. */
export function shortAnswer({ diagnostics: _, error, message, ...answer }: WebhookAnswer): WebhookAnswer {
  return {
    ...answer,
    message: `${message}; the history has the results`,
    error: error === null ? null : cutText(error, errorBytes),
    results: [],
  }
}
