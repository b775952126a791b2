import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useGetWebhookConfigQuery } from '../../shared/client.ts'
import { paths } from '../../shared/paths.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useCopy } from '../../ui/use-copy.ts'
import { type StepId, stepIds } from './checklist.ts'
import { texts } from './texts.ts'
import { useChecklist } from './use-checklist.ts'

const { checklist: words } = texts

/** The way from a new account to the first trades; gone once it is walked. */
export function FirstSteps() {
  const { checklist, failure, retry } = useChecklist()
  if (checklist === undefined) {
    return failure === undefined ? null : (
      <LoadFailure title={words.loadFailure} error={failure} onRetry={retry} />
    )
  }
  const { done, urlCopied, hide } = checklist
  const next = stepIds.find((id) => !done.has(id))
  const actions = (
    <>
      <span className="quiet small">{words.progress(done.size, stepIds.length)}</span>
      <Button size="small" type="link" onClick={hide}>
        {words.hide}
      </Button>
    </>
  )
  return (
    <Panel title={words.title} actions={actions}>
      <ol className="first-steps">
        {stepIds.map((id) => (
          <Step key={id} id={id} isDone={done.has(id)} isNext={id === next}>
            <StepAction id={id} onUrlCopied={urlCopied} />
          </Step>
        ))}
      </ol>
    </Panel>
  )
}

interface StepProps {
  id: StepId
  isDone: boolean
  isNext: boolean
  children: ReactNode
}

function Step({ id, isDone, isNext, children }: StepProps) {
  const { title, text } = words.steps[id]
  const look = isDone ? 'is-done' : isNext ? 'is-next' : ''
  return (
    <li className={`first-step ${look}`} aria-current={isNext ? 'step' : undefined}>
      <span className="first-step-mark" aria-hidden="true">
        {isDone ? '✓' : ''}
      </span>
      <span className="first-step-text">
        <strong>{title}</strong> <span className="visually-hidden">{isDone ? words.done : words.open}</span>
        <span className="quiet small">{text}</span>
      </span>
      {!isDone && children}
    </li>
  )
}

function StepAction({ id, onUrlCopied }: { id: StepId; onUrlCopied: () => void }) {
  switch (id) {
    case 'key':
    case 'test':
      return <StepLink to={paths.apiKeys} name={words.goToKeys} />
    case 'url':
      return <CopyUrl onCopied={onUrlCopied} />
    case 'alert':
      return <StepLink to={paths.terminal} name={words.goToTerminal} />
    case 'notifications':
      return <StepLink to={paths.notifications} name={words.goToNotifications} />
  }
}

function StepLink({ to, name }: { to: string; name: string }) {
  return (
    <LinkButton size="small" to={to}>
      {name}
    </LinkButton>
  )
}

function CopyUrl({ onCopied }: { onCopied: () => void }) {
  const { data: config } = useGetWebhookConfigQuery()
  const copy = useCopy()
  async function copyUrl(url: string) {
    if (await copy(url)) onCopied()
  }
  return (
    <Button
      size="small"
      disabled={config === undefined}
      onClick={() => config && void copyUrl(config.webhook_url)}
    >
      {words.copyUrl}
    </Button>
  )
}
