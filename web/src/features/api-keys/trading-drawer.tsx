import type { KeyTradingView, KeyView } from '@tripline/proto/http/key'
import { Alert, Button, Drawer, Flex, Form, Input } from 'antd'
import { useState } from 'react'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { ChoiceCards } from './form-fields.tsx'
import { isLimitAge, isLimitValue, isRetryTime } from './limit-text.ts'
import { texts } from './texts.ts'
import { useKeyTrading, useTradingChange } from './use-key-trading.ts'

const { trading: words } = texts

/** The state and the limits of a bot's trading. */
export function TradingDrawer({ bot, onClose }: { bot: KeyView; onClose: () => void }) {
  useFocusReturn()
  const { trading, error, askAgain } = useKeyTrading(bot.id)
  const isLoading = trading === undefined && error === undefined
  return (
    <Drawer title={words.title(bot.label)} open size={480} onClose={onClose} loading={isLoading}>
      {error !== undefined && (
        <LoadFailure title={trading ? words.old : words.loadFailure} error={error} onRetry={askAgain} />
      )}
      {trading && (
        <>
          <TradingStates bot={bot} current={trading.state} />
          <TradingLimits bot={bot} trading={trading} />
        </>
      )}
    </Drawer>
  )
}

type TradingState = KeyTradingView['state']

const states: readonly TradingState[] = ['active', 'reducing', 'halted']
const options = states.map((value) => ({ value, name: words.states[value], note: words.hints[value] }))

/** The trading state of a bot; another one counts once it is confirmed. */
function TradingStates({ bot, current }: { bot: KeyView; current: TradingState }) {
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

interface LimitTexts {
  age: string
  retry: string
  value: string
}

/** The most age of an alert and size of an order of a bot, and the time for which its exits are tried. */
function TradingLimits({ bot, trading }: { bot: KeyView; trading: KeyTradingView }) {
  const { change, isBusy } = useTradingChange(bot.id)
  const initialValues = {
    age: String(trading.max_entry_age_s),
    retry: String(trading.exit_retry_s),
    value: trading.max_order_value ?? '',
  }
  const save = ({ age, retry, value }: LimitTexts) =>
    change({
      max_entry_age_s: Number(age),
      exit_retry_s: Number(retry),
      max_order_value: value.trim() === '' ? null : value.trim(),
    })
  return (
    <section className="form-step" aria-label={words.limits}>
      <h2>{words.limits}</h2>
      <Form<LimitTexts>
        layout="vertical"
        requiredMark={false}
        initialValues={initialValues}
        onFinish={(limits) => void save(limits)}
      >
        <Form.Item name="age" label={words.age} rules={[rule(isLimitAge, words.ageFault)]}>
          <Input inputMode="numeric" autoComplete="off" />
        </Form.Item>
        <Form.Item
          name="retry"
          label={words.retry}
          extra={words.retryHint}
          rules={[rule(isRetryTime, words.retryFault)]}
        >
          <Input inputMode="numeric" autoComplete="off" />
        </Form.Item>
        <Form.Item
          name="value"
          label={words.value}
          extra={words.valueHint}
          rules={[rule(isLimitValue, words.valueFault)]}
        >
          <Input inputMode="decimal" autoComplete="off" />
        </Form.Item>
        <Button htmlType="submit" loading={isBusy}>
          {words.save}
        </Button>
      </Form>
    </section>
  )
}

function rule(isWell: (text: string) => boolean, fault: string) {
  return {
    validator: async (_rule: unknown, text = '') => {
      if (!isWell(text)) throw new Error(fault)
    },
  }
}
