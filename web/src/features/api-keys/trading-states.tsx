import type { KeyTradingView, KeyView } from '@tripline/proto/http/key'
import { Alert, Button, Flex } from 'antd'
import { useState } from 'react'
import { ChoiceCards } from './choice-cards.tsx'
import { texts } from './texts.ts'
import { useTradingChange } from './use-trading-change.ts'

const { trading: words } = texts

type TradingState = KeyTradingView['state']

const states: readonly TradingState[] = ['active', 'reducing', 'halted']
const options = states.map((value) => ({ value, name: words.states[value], note: words.hints[value] }))

/** The trading state of a bot; another one counts once it is confirmed. */
export function TradingStates({ bot, current }: { bot: KeyView; current: TradingState }) {
  const [{ chosen, shown }, setChoice] = useState({ chosen: current, shown: current })
  const setChosen = (next: TradingState) => setChoice({ chosen: next, shown: current })
  // One that was set elsewhere meanwhile is no choice that waits to be confirmed.
  if (shown !== current) setChosen(current)
  const { change, isBusy } = useTradingChange(bot.id)
  return (
    <section className="form-step trading-states" aria-label={words.state}>
      <h2>{words.state}</h2>
      <ChoiceCards
        name={words.state}
        isNamedAbove
        options={options}
        value={chosen}
        onChange={(value) => setChosen(states.find((state) => state === value) ?? current)}
      />
      {chosen !== current && (
        <Alert
          type="warning"
          role="status"
          title={words.confirm[chosen](bot.label)}
          description={
            <Flex gap={8}>
              <Button
                type="primary"
                danger={chosen === 'halted'}
                loading={isBusy}
                onClick={() => void change({ state: chosen })}
              >
                {words.confirmButton[chosen]}
              </Button>
              <Button onClick={() => setChosen(current)}>{texts.cancel}</Button>
            </Flex>
          }
        />
      )}
    </section>
  )
}
