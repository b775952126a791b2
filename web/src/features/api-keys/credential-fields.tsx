import { Alert, Button, Form, Input } from 'antd'
import { credentialFault } from './credential-look.ts'
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
      <CredentialNotice exchange={exchange} />
      <p className="form-note">{words.sealed}</p>
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
