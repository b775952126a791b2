import { Alert, Button, Form, Input } from 'antd'
import { useListKeyAddressesQuery } from '../../shared/client.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { credentialFault } from './credential-look.ts'
import { keyGuideOf } from './key-guides.ts'
import type { KeyValues } from './key-values.ts'
import { texts } from './texts.ts'

const { form: words } = texts

/** Key and secret of an exchange account; what looks swapped can be swapped. */
export function CredentialFields({ exchange }: { exchange: string }) {
  return (
    <>
      <Form.Item name="api_key" label={words.apiKey} rules={[required]}>
        <Input autoComplete="off" spellCheck={false} className="credential" />
      </Form.Item>
      <Form.Item name="api_secret" label={words.apiSecret} rules={[required]}>
        <Input.Password autoComplete="new-password" className="credential" />
      </Form.Item>
      {exchange === 'okx' && (
        <Form.Item name="api_passphrase" label={words.apiPassphrase} rules={[required]}>
          <Input.Password autoComplete="new-password" className="credential" />
        </Form.Item>
      )}
      <CredentialNotice exchange={exchange} />
      <p className="quiet small form-note">{words.sealed}</p>
    </>
  )
}

const required = { required: true, whitespace: true, message: words.credentialsRequired }

function CredentialNotice({ exchange }: { exchange: string }) {
  const form = Form.useFormInstance<KeyValues>()
  const key = Form.useWatch('api_key', form) ?? ''
  const secret = Form.useWatch('api_secret', form) ?? ''
  const fault = credentialFault(exchange, key, secret)
  if (fault === undefined) return null
  return (
    <Alert
      type="warning"
      role="status"
      title={words[fault]}
      action={
        fault === 'swapped' && (
          <Button size="small" onClick={() => form.setFieldsValue({ api_key: secret, api_secret: key })}>
            {words.swap}
          </Button>
        )
      }
    />
  )
}

const { guide: guideWords } = texts

/** Explains the making of a key at the chosen exchange: page, permissions and addresses. */
export function KeyGuide() {
  const form = Form.useFormInstance<KeyValues>()
  const exchange = Form.useWatch('exchange', form) ?? form.getFieldValue('exchange')
  const market_type = Form.useWatch('market_type', form) ?? form.getFieldValue('market_type')
  const is_testnet = Form.useWatch('is_testnet', form) ?? form.getFieldValue('is_testnet')
  const guide = keyGuideOf({ exchange, market_type, is_testnet })
  if (guide === undefined) return null
  const { url, permissions, note } = guide
  return (
    <section className="framed quiet small key-guide" aria-label={guideWords.heading}>
      <ol>
        <li>
          {guideWords.where}{' '}
          <a href={url} target="_blank" rel="noreferrer">
            {new URL(url).host}
          </a>
        </li>
        <li>
          {permissions.length > 0 && `${guideWords.permissions(permissions)} `}
          {guideWords.never}
        </li>
        <li>
          <Addresses />
        </li>
      </ol>
      {note !== undefined && <p>{note}</p>}
    </section>
  )
}

/** The addresses to allow, to be copied before there is a key. */
function Addresses() {
  const { data } = useListKeyAddressesQuery()
  if (data === undefined || data.addresses.length === 0) return guideWords.noAddresses
  return (
    <>
      {guideWords.addresses}{' '}
      {data.addresses.map((address) => (
        <span key={address} className="key-address">
          <code>{address}</code>
          <CopyButton text={address} label={texts.connection.copyAddress} />
        </span>
      ))}
    </>
  )
}
