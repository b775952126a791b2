/** The units that a call takes from its user's budget. */
export interface CallCost {
  units: number
  /** Whether the call may spend what is held back for ending sessions and stopping trades. */
  isUrgent: boolean
}

/** The method and the route's pattern of a call, and how many bytes its body may have at most. */
export interface PricedCall {
  method: string
  route: string
  bodyBytes: number
}

// A request for rows is 1. A call that changes something writes a database and a bucket; those below also ask an
// exchange, read the whole history or send a message.
const readUnits = 1
const changeUnits = 2
const units: Readonly<Record<string, number>> = {
  'GET /api/webhook-executions/summary': 3,
  'GET /api/webhook-executions/sums': 10,
  'GET /api/webhook-executions/export': 20,
  'GET /api/receipts/export': 20,
  'GET /api/accounts': 5,
  'POST /api/commands/preview': 5,
  'POST /api/keys': 10,
  'POST /api/keys/:id/reset': 10,
  'POST /api/keys/:id/test': 20,
  'POST /api/notifications/test': 10,
}

// A person must be able to stop what goes wrong, also when a script has spent everything.
const urgent: ReadonlySet<string> = new Set([
  'POST /api/auth/logout',
  'DELETE /api/auth/sessions',
  'DELETE /api/auth/sessions/:id',
  'PUT /api/keys/:id/trading',
  'DELETE /api/keys/:id/close-only',
  'POST /api/keys/:id/close-only/regenerate',
  'PUT /api/trading-state',
  'PUT /api/webhook-config',
  'POST /api/webhook-config/regenerate',
])

// Reading a body costs by its size.
const bytesPerUnit = 8192

/** Returns the cost of a call; a route that the table does not know costs what its method does. */
export function costOf({ method, route, bodyBytes }: PricedCall): CallCost {
  const call = `${method === 'HEAD' ? 'GET' : method} ${route}`
  const base = units[call] ?? (call.startsWith('GET ') ? readUnits : changeUnits)
  return { units: base + (bodyBytes - (bodyBytes % bytesPerUnit)) / bytesPerUnit, isUrgent: urgent.has(call) }
}
