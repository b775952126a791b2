import { createHmac, createSecretKey, generateKeyPairSync, sign } from 'node:crypto'
import { median } from '../statistics.ts'

const request =
  'apiKey=0123456789012345678901234567890123456789012345678901234567890123&newClientOrderId=t01ARZ3NDEKTSV4RRFFQ690000000001&newOrderRespType=RESULT&quantity=0.010&recvWindow=3000&side=BUY&symbol=BTCUSDT&timestamp=1780000000000&type=MARKET'
const rounds = 2000

/**
 * Returns the cost of signing one request, in µs: by HMAC, which any key can, and by Ed25519, which a logged-in session
 * saves.
 */
export function signingCosts(): { hmac: number; ed25519: number } {
  const secret = createSecretKey('secret of the length that Binance gives to its keys, 64 of these', 'utf8')
  const { privateKey } = generateKeyPairSync('ed25519')
  return {
    hmac: costOf(() => createHmac('sha256', secret).update(request).digest('hex')),
    ed25519: costOf(() => sign(null, Buffer.from(request), privateKey).toString('base64')),
  }
}

function costOf(work: () => void): number {
  const took = Array.from({ length: rounds }, () => {
    const startedAt = performance.now()
    work()
    return (performance.now() - startedAt) * 1000
  })
  return median(took)
}
