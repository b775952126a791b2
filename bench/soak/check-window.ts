/** An order that an alert asks for. */
export interface Wanted {
  clientOrderId: string
  executionId: string
  /** The lane in whose order it has to be; none for what comes after a `wait`. */
  lane: string | undefined
}

/** An alert that was sent; one that was not accepted may have been stored all the same. */
export interface Sent {
  isAccepted: boolean
  wanted: readonly Wanted[]
}

/** The facts of a stretch of time in which everything that was begun has come to its end. */
export interface Window {
  /** In the order of sending. */
  sent: readonly Sent[]
  /** The client order ids of the orders that the exchange accepted, in its order. */
  accepted: readonly string[]
  /** The ends of executions, as events have them; with the error code of the first command that failed. */
  ends: readonly { executionId: string; status: string; code: string | undefined }[]
}

// The order may turn up after its command was given up.
const givenUp = 'E602'

/** Returns the violations, one sentence each: a sound product has none. */
export function violationsOf(window: Window): string[] {
  return [...notOnce(window), ...notEnded(window), ...outOfOrder(window)]
}

function notOnce({ sent, accepted, ends }: Window): string[] {
  const counts = countBy(accepted)
  const wanted = new Map(
    sent.flatMap((alert) => alert.wanted.map((one) => [one.clientOrderId, { ...one, ...alert }])),
  )
  const endOf = new Map(ends.map((end) => [end.executionId, end]))
  const doubled = [...counts].filter(([, count]) => count > 1).map(([id]) => `order ${id} was accepted twice`)
  const strange = [...counts.keys()]
    .filter((id) => !wanted.has(id))
    .map((id) => `nobody asked for order ${id}`)
  const lost = [...wanted.values()].flatMap(({ clientOrderId, executionId, isAccepted }) => {
    const status = endOf.get(executionId)?.status
    const isMissing = isAccepted && status === 'success' && !counts.has(clientOrderId)
    return isMissing ? [`order ${clientOrderId} never arrived, its execution is a success`] : []
  })
  const denied = [...wanted.values()].flatMap(({ clientOrderId, executionId }) => {
    const end = endOf.get(executionId)
    const isDenied = end?.status === 'failed' && end.code !== givenUp && counts.has(clientOrderId)
    return isDenied ? [`order ${clientOrderId} was accepted, its execution failed with ${end.code}`] : []
  })
  return [...doubled, ...strange, ...lost, ...denied]
}

function notEnded({ sent, ends }: Window): string[] {
  const counts = countBy(ends.map(({ executionId }) => executionId))
  const executions = new Set(
    sent.flatMap(({ isAccepted, wanted }) =>
      isAccepted ? wanted.map(({ executionId }) => executionId) : [],
    ),
  )
  const open = [...executions].filter((id) => !counts.has(id)).map((id) => `execution ${id} has no end`)
  const twice = [...counts].filter(([, count]) => count > 1).map(([id]) => `execution ${id} ended twice`)
  return [...open, ...twice]
}

function outOfOrder({ sent, accepted }: Window): string[] {
  const arrival = new Map(accepted.map((id, index) => [id, index]))
  const inLanes = sent.flatMap(({ wanted }) => wanted).filter(({ lane }) => lane !== undefined)
  return [...Map.groupBy(inLanes, ({ lane }) => lane)].flatMap(([lane, orders]) => {
    const places = orders.flatMap(({ clientOrderId }) => arrival.get(clientOrderId) ?? [])
    const isInOrder = places.every((place, index) => place > (places[index - 1] ?? -1))
    return isInOrder ? [] : [`the orders of lane ${lane} came out of order`]
  })
}

function countBy(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}
