import { Form, type FormInstance, Input, Modal, Radio } from 'antd'
import { useCreateKeyMutation } from '../../shared/client.ts'
import { useCallWithToast } from '../use-call-with-toast.ts'
import { useFocusReturn } from '../use-focus-return.ts'
import { labelFault } from './label-fault.ts'
import { paperTexts } from './paper-texts.ts'

const { cancel, add: words } = paperTexts

/** The values of a new Paper bot. */
interface NewPaperBot {
  label: string
  market: 'futures' | 'spot'
}

interface PaperBotDialogProps {
  /** With the label of the bot that was added, if one was. */
  onClose: (label?: string) => void
}

const markets = [
  { value: 'futures', label: words.futures },
  { value: 'spot', label: words.spot },
]

/** Asks for a label and a market, and adds a Paper bot under them. */
export function PaperBotDialog({ onClose }: PaperBotDialogProps) {
  useFocusReturn()
  const [form] = Form.useForm<NewPaperBot>()
  const [add, { isLoading }] = useCreateKeyMutation()
  const withToast = useCallWithToast()

  async function submit(bot: NewPaperBot) {
    const call = add({ label: bot.label, exchange: 'paper', market_type: bot.market }).unwrap()
    const success = { title: words.success, description: words.added(bot.label) }
    if (await withToast(call, { success, failure: words.failure })) onClose(bot.label)
  }
  return (
    <Modal
      title={words.title}
      open
      okText={words.confirm}
      cancelText={cancel}
      confirmLoading={isLoading}
      onOk={form.submit}
      onCancel={() => onClose()}
      width={420}
    >
      <p className="quiet">{words.note}</p>
      <BotForm form={form} onSubmit={(bot) => void submit(bot)} />
    </Modal>
  )
}

interface BotFormProps {
  form: FormInstance<NewPaperBot>
  onSubmit: (bot: NewPaperBot) => void
}

function BotForm({ form, onSubmit }: BotFormProps) {
  return (
    <Form
      form={form}
      className="paper-bot-form"
      layout="vertical"
      requiredMark={false}
      initialValues={{ market: 'futures' }}
      onFinish={({ label, market }) => onSubmit({ label: label.trim(), market })}
    >
      <Form.Item name="label" label={words.label} extra={words.labelHint} rules={[{ validator: checkLabel }]}>
        <Input autoFocus autoComplete="off" spellCheck={false} />
      </Form.Item>
      <Form.Item name="market" label={words.market}>
        <Radio.Group options={markets} optionType="button" buttonStyle="solid" />
      </Form.Item>
    </Form>
  )
}

async function checkLabel(_rule: unknown, label = '') {
  const fault = labelFault(label)
  if (fault !== undefined) throw new Error(fault)
}
