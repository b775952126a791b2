import EyeInvisibleOutlined from '@ant-design/icons/EyeInvisibleOutlined'
import EyeOutlined from '@ant-design/icons/EyeOutlined'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { maskedUrl } from '../../shared/masked-url.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { unreachableBecause } from './reach.ts'
import { RegenerateDialog } from './regenerate-dialog.tsx'
import { webhookTexts } from './texts.ts'

const { address } = webhookTexts

/** The webhook's address, its token hidden until somebody asks. */
export function AddressPanel({ url }: { url: string }) {
  const [isShown, setShown] = useState(false)
  const [isRegenerating, setRegenerating] = useState(false)
  const reason = unreachableBecause(url)
  return (
    <Panel
      title={address.heading}
      actions={
        <Button size="small" danger onClick={() => setRegenerating(true)}>
          {address.regenerate}
        </Button>
      }
    >
      <div className="webhook-url">
        <code>{isShown ? url : maskedUrl(url)}</code>
        <Button
          type="text"
          size="small"
          icon={isShown ? <EyeInvisibleOutlined /> : <EyeOutlined />}
          aria-label={isShown ? address.hide : address.reveal}
          title={isShown ? address.hide : address.reveal}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        />
        <CopyButton text={url} label={address.copy} />
      </div>
      <p className="quiet">{address.secret}</p>
      {reason && <Alert className="webhook-reach" type="info" showIcon title={address[reason]} />}
      <RegenerateDialog
        isOpen={isRegenerating}
        onClose={() => {
          setShown(false)
          setRegenerating(false)
        }}
      />
    </Panel>
  )
}
