import { Form, Input } from 'antd'
import { labelFault } from '../../ui/paper/label-fault.ts'
import { paperTexts } from '../../ui/paper/paper-texts.ts'
import { isLabelTaken } from './key-values.ts'
import { texts } from './texts.ts'

interface LabelFieldProps {
  /** The labels that are taken. */
  others: readonly string[]
  /** The label that alerts know the bot by so far. */
  current?: string
}

/** The label of a bot, checked while it is typed. */
export function LabelField({ others, current }: LabelFieldProps) {
  const typed: string | undefined = Form.useWatch('label')
  const isRenamed = current !== undefined && typed !== undefined && !isLabelTaken(typed, [current])
  return (
    <Form.Item
      name="label"
      label={texts.form.label}
      extra={isRenamed ? texts.form.renamed(current) : paperTexts.add.labelHint}
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
