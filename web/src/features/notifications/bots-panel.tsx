import type { KeyView } from '@tripline/proto/http/key'
import { Link } from 'react-router-dom'
import { useListKeysQuery } from '../../shared/client.ts'
import { editKeyPath, paths } from '../../shared/paths.ts'
import { texts } from '../../shared/texts.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { notificationTexts } from './texts.ts'

const { bots } = notificationTexts

/** The notifications of each bot; they are changed in the bot's own form. */
export function BotsPanel() {
  const { data: keys, error, refetch } = useListKeysQuery()
  return (
    <Panel title={bots.heading} actions={<Link to={paths.apiKeys}>{bots.link}</Link>}>
      <p className="quiet">{bots.note}</p>
      <ul className="note-types">
        {bots.types.map(({ name, text }) => (
          <li key={name}>
            <strong>{name}</strong> {text}
          </li>
        ))}
      </ul>
      {error !== undefined && (
        <LoadFailure title={texts.general.botsFailed} error={error} onRetry={() => void refetch()} />
      )}
      {keys?.length === 0 && <p className="quiet">{bots.none}</p>}
      {keys && keys.length > 0 && <BotTable keys={keys} />}
    </Panel>
  )
}

function BotTable({ keys }: { keys: readonly KeyView[] }) {
  return (
    <table className="bot-notes">
      <thead>
        <tr>
          <th scope="col">{bots.bot}</th>
          {bots.types.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          <th scope="col">
            <span className="visually-hidden">{bots.editShort}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <BotRow key={key.id} bot={key} />
        ))}
      </tbody>
    </table>
  )
}

function BotRow({ bot }: { bot: KeyView }) {
  return (
    <tr>
      <th scope="row">{bot.label}</th>
      <SwitchMark isOn={bot.notify_on_trade} />
      <SwitchMark isOn={bot.notify_on_error} />
      <SwitchMark isOn={bot.notify_on_fill} />
      <td>
        <Link to={editKeyPath(bot.id)} aria-label={bots.edit(bot.label)}>
          {bots.editShort}
        </Link>
      </td>
    </tr>
  )
}

function SwitchMark({ isOn }: { isOn: boolean }) {
  return <td className={isOn ? 'note-on' : 'quiet'}>{isOn ? `✓ ${bots.on}` : `– ${bots.off}`}</td>
}
