import { Form, Input } from 'antd'
import { labelFault } from '../../ui/paper/label-fault.ts'
import { isLabelTaken } from './key-values.ts'
import { texts } from './texts.ts'

/** The label of a bot, checked while it is typed; `others` are the labels that are taken. */
export function LabelField({ others }: { others: readonly string[] }) {
  return (
    <Form.Item
      name="label"
      label={texts.form.label}
      extra={texts.form.labelHint}
      rules={[{ validator: checkLabel }, { validator: warnOfTaken(others), warningOnly: true }]}
    >
      <Input autoFocus autoComplete="off" spellCheck={false} />
    </Form.Item>
  )
}

async function checkLabel(_rule: unknown, label = '') {
  const fault = labelFault(label)
  if (fault !== undefined) throw new Error(fault)
}

function warnOfTaken(others: readonly string[]) {
  return async (_rule: unknown, label = '') => {
    if (isLabelTaken(label, others)) throw new Error(texts.form.labelTaken)
  }
}
