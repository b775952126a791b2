import { LegalPage } from './legal-page.tsx'
import markdown from './terms.md?raw'
import { legalTexts } from './texts.ts'

/** The terms of service. */
export function TermsPage() {
  return <LegalPage title={legalTexts.terms} markdown={markdown} />
}
