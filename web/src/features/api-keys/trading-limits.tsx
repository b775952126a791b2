import type { KeyTradingView, KeyView } from '@tripline/proto/http/key'
import { Button, Form, Input } from 'antd'
import { isLimitAge, isLimitValue, isRetryTime } from './limit-text.ts'
import { texts } from './texts.ts'
import { useTradingChange } from './use-trading-change.ts'

const { trading: words } = texts

interface LimitTexts {
  age: string
  retry: string
  value: string
}

/** The most age of an alert and size of an order of a bot, and the time for which its exits are tried. */
export function TradingLimits({ bot, trading }: { bot: KeyView; trading: KeyTradingView }) {
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
