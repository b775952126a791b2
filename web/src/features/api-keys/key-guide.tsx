import { Form } from 'antd'
import { useListKeyAddressesQuery } from '../../shared/client.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { keyGuideOf } from './key-guides.ts'
import type { KeyValues } from './key-values.ts'
import { texts } from './texts.ts'

const { guide: words } = texts

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
    <section className="key-guide" aria-label={words.heading}>
      <ol>
        <li>
          {words.where}{' '}
          <a href={url} target="_blank" rel="noreferrer">
            {new URL(url).host}
          </a>
        </li>
        <li>
          {permissions.length > 0 && `${words.permissions(permissions)} `}
          {words.never}
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
  if (data === undefined || data.addresses.length === 0) return words.noAddresses
  return (
    <>
      {words.addresses}{' '}
      {data.addresses.map((address) => (
        <span key={address} className="key-address">
          <code>{address}</code>
          <CopyButton text={address} label={texts.connection.copyAddress} />
        </span>
      ))}
    </>
  )
}
