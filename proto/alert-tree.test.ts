import { expect, test } from '@jest/globals'
import { Block } from './alert-tree.ts'
import { readMessage } from './language/read-message.ts'
import type * as tree from './language/tree.ts'

/** Every property there, so that a missing optional one shows as a difference. */
type Whole<Value> = Value extends object ? { [Key in keyof Value]-?: Whole<Value[Key]> } : Value
type Same<A, B> = [Whole<A>, Whole<B>] extends [Whole<B>, Whole<A>] ? true : never

const schemaIsTree: Same<Block, tree.Block> = true

const message = `MyBot(BTCUSDT.P) {
  limit(buy, 1, +1%, tif=gtc, postOnly=yes, positionSide=long, reduceOnly=no, tag=a)
  market(position=-50%p)
  stop(sell, 10 USDT, e1%, trigger=mark, limitOffset=1)
  sltp(sell, 10 USDT, 2%, -5, slLimitOffset=0.1%, tpType=limit, slTrigger=last, tpTrigger=index)
  oco(mode=reduce, onPartial=keep) { limit(sell, 1, 2); stop(sell, 1, 1, limitPrice=1) }
  settings(20, maxOrderSize=500$, marginMode=isolated, hedge=yes)
  cancel(tag=a) wait(1.5s) balance(usdt)
}`

test('the tree of a message that was read travels unchanged', () => {
  const { blocks } = readMessage(message, [{ label: 'MyBot', market: 'futures' }])
  expect(blocks.map((block) => Block.parse(JSON.parse(JSON.stringify(block))))).toEqual(blocks)
  expect({ blocks: blocks.length, schemaIsTree }).toEqual({ blocks: 1, schemaIsTree: true })
})
