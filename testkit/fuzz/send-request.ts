import { request } from 'node:http'
import type { AnyRequest } from './any-request.ts'

/** The answer; of a stream that does not end only the head. */
export interface AnyAnswer {
  status: number
  contentType: string
  body: string
}

/** Sends a request exactly as it is written. */
export async function sendRequest(
  url: string,
  { call, target, session, contentType, body }: AnyRequest,
  token: string,
): Promise<AnyAnswer> {
  const { hostname, port } = new URL(url)
  const bearer = session === 'own' ? token : 'nonsense'
  const headers = {
    ...(session !== 'none' && { authorization: `Bearer ${bearer}` }),
    ...(body !== undefined && contentType !== undefined && { 'content-type': contentType }),
    ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
  }
  return await new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method: call.method, path: target, headers }, (answer) => {
      const { statusCode: status = 0, headers: received } = answer
      const type = received['content-type'] ?? ''
      if (type.startsWith('text/event-stream')) {
        resolve({ status, contentType: type, body: '' })
        return void sent.destroy()
      }
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve({ status, contentType: type, body: Buffer.concat(chunks).toString() }))
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
