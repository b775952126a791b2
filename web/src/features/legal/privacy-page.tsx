import { LegalPage } from './legal-page.tsx'
import markdown from './privacy.md?raw'
import { legalTexts } from './texts.ts'

/** The privacy policy. */
export function PrivacyPage() {
  return <LegalPage title={legalTexts.privacy} markdown={markdown} />
}
