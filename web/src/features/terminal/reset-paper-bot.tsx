import UndoOutlined from '@ant-design/icons/UndoOutlined'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { useSelector } from 'react-redux'
import { useListKeysQuery, useResetKeyMutation } from '../../shared/client.ts'
import { failureText } from '../../shared/failure.ts'
import { useToast } from '../../ui/toast.ts'
import { selectLabel } from './terminal-slice.ts'
import { paperBotTexts } from './texts.ts'

/** The way to reset the account of the selected bot, where that is a Paper bot. */
export function ResetSelectedBot() {
  const selected = useSelector(selectLabel)
  const { data: keys = [] } = useListKeysQuery()
  const bot = keys.find(({ label, exchange }) => label === selected && exchange === 'paper')
  return bot && <ResetPaperBot key={bot.id} id={bot.id} label={bot.label} />
}

/** Gives a Paper bot its opening balance back, once that is confirmed: what it held cannot be had again. */
function ResetPaperBot({ id, label }: { id: string; label: string }) {
  const [isOpen, setOpen] = useState(false)
  const [reset, { isLoading }] = useResetKeyMutation()
  const toast = useToast()

  async function confirm() {
    try {
      await reset(id).unwrap()
      toast.success({ title: paperBotTexts.resetSuccess })
      setOpen(false)
    } catch (cause) {
      toast.error({ title: paperBotTexts.resetFailure, description: failureText(cause) })
    }
  }
  return (
    <>
      <Button type="text" size="small" icon={<UndoOutlined />} onClick={() => setOpen(true)}>
        {paperBotTexts.reset}
      </Button>
      <Modal
        title={paperBotTexts.resetTitle(label)}
        open={isOpen}
        okText={paperBotTexts.reset}
        okButtonProps={{ danger: true }}
        cancelText={paperBotTexts.cancel}
        confirmLoading={isLoading}
        onOk={() => void confirm()}
        onCancel={() => setOpen(false)}
        destroyOnHidden
        width={420}
      >
        <p className="quiet">{paperBotTexts.resetNote}</p>
      </Modal>
    </>
  )
}
