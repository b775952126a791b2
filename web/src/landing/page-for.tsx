import { LandingPage } from './landing-page.tsx'
import { TeaserPage } from './teaser-page.tsx'

/** The pages that there are for visitors. */
export const pageNames = ['landing', 'teaser'] as const

/** The page of this name, the landing page where it is none. */
export function pageFor(name: string | undefined) {
  return name === 'teaser' ? <TeaserPage /> : <LandingPage />
}
