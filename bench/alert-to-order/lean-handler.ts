// The lean peer, as a process of its own: from the webhook to the exchange. Nothing is stored, checked, limited or
// reported.
import { openLeanDoor } from './lean-door.ts'
import { placeLeanly } from './lean-order.ts'

process.once('disconnect', () => process.exit())
openLeanDoor(placeLeanly)
