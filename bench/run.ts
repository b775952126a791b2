import { closers as newClosers } from '@tripline/scripts/closers'
import { onStopRequest } from '@tripline/scripts/stop-request'
import { alertToOrder, plans } from './alert-to-order/alert-to-order.ts'
import { describeMachine } from './machine.ts'

const closers = newClosers()

onStopRequest(async (why) => {
  console.log(`\nStopping (${why})`)
  await closers.close()
  process.exit(1)
})

try {
  console.log(`${new Date().toISOString().slice(0, 10)}, ${describeMachine()}\n`)
  const plan = process.argv.includes('--quick') ? plans.quick : plans.full
  console.log(await alertToOrder(plan, closers))
  await closers.close()
} catch (error) {
  console.error(error)
  await closers.close()
  process.exit(1)
}
