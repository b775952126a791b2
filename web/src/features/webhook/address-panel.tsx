import { Alert, Button } from 'antd'
import { useState } from 'react'
import { Panel } from '../../ui/panel.tsx'
import { SecretUrl } from '../../ui/secret-url.tsx'
import { unreachableBecause } from './reach.ts'
import { RegenerateDialog } from './regenerate-dialog.tsx'
import { webhookTexts } from './texts.ts'

const { address } = webhookTexts

/** The webhook's address, its token hidden until somebody asks. */
export function AddressPanel({ url }: { url: string }) {
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
      <SecretUrl key={url} url={url} texts={address} />
      <p className="quiet">{address.secret}</p>
      {reason && <Alert className="webhook-reach" type="info" showIcon title={address[reason]} />}
      <RegenerateDialog isOpen={isRegenerating} onClose={() => setRegenerating(false)} />
    </Panel>
  )
}
