import type { KeyView } from '@tripline/proto/http/key'
import { Button, Form } from 'antd'
import { useState } from 'react'
import { useUpdateKeyMutation } from '../../shared/client.ts'
import { paperTexts } from '../../ui/paper/paper-texts.ts'
import { ResetPaperDialog } from '../../ui/paper/reset-paper-dialog.tsx'
import { useCallWithToast } from '../../ui/use-call-with-toast.ts'
import { isTestnetOnly, marketsOf, offeredExchanges } from './exchange-options.ts'
import { ChoiceCards, FormStep, LabelField, NotificationFields } from './form-fields.tsx'
import { KeyDrawer } from './key-drawer.tsx'
import { type KeyValues, newKeyValues, updateBody } from './key-values.ts'
import { texts } from './texts.ts'

const { form: words } = texts

interface EditKeyProps {
  edited: KeyView
  keys: readonly KeyView[]
  onClose: () => void
}

/** Changes what may change of a key: label, market and notifications. */
export function EditKey({ edited, keys, onClose }: EditKeyProps) {
  const [form] = Form.useForm<KeyValues>()
  const [update, { isLoading }] = useUpdateKeyMutation()
  const withToast = useCallWithToast()
  async function submit(values: KeyValues) {
    const call = update({ id: edited.id, body: updateBody(values) }).unwrap()
    if (await withToast(call, { success: words.success.edit, failure: words.failure.edit })) onClose()
  }
  const others = keys.filter(({ id }) => id !== edited.id).map(({ label }) => label)
  return (
    <KeyDrawer
      title={words.editTitle(edited.label)}
      submitText={words.save}
      isBusy={isLoading}
      form={form}
      initialValues={{ ...newKeyValues(edited.exchange), ...edited }}
      onSubmit={(values) => void submit(values)}
      onClose={onClose}
    >
      <FormStep number={1} title={words.name}>
        <LabelField others={others} current={edited.label} />
      </FormStep>
      <FormStep number={2} title={words.market}>
        <Form.Item name="market_type" noStyle>
          <ChoiceCards name={words.market} isNamedAbove options={marketOptions(edited)} />
        </Form.Item>
        <p className="quiet small form-note">{words.fixed}</p>
      </FormStep>
      <FormStep number={3} title={words.preferences}>
        <NotificationFields />
      </FormStep>
      {edited.exchange === 'paper' && <ResetPaper bot={edited} />}
    </KeyDrawer>
  )
}

/** The network of a key stays, so a market of another one cannot be chosen. */
function marketOptions({ exchange, is_testnet }: KeyView) {
  return marketsOf(exchange, offeredExchanges(true)).map((option) =>
    !is_testnet && isTestnetOnly(exchange, option.value)
      ? { ...option, disabledBecause: words.testnetOnly }
      : option,
  )
}

/** The way to give a Paper bot its opening balance back, as a part of its form. */
function ResetPaper({ bot }: { bot: KeyView }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="form-step" aria-label={texts.paperAccount}>
      <h2>{texts.paperAccount}</h2>
      <p className="quiet small form-note">{paperTexts.reset.note}</p>
      <Button danger onClick={() => setOpen(true)}>
        {paperTexts.reset.confirm}
      </Button>
      {isOpen && <ResetPaperDialog bot={bot} onClose={() => setOpen(false)} />}
    </section>
  )
}
