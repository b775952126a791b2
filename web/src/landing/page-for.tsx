import { LandingPage } from './landing-page.tsx'
import { TeaserPage } from './teaser-page.tsx'

export const pageNames = ['landing', 'teaser'] as const
export type PageName = (typeof pageNames)[number]

/** The page of this name, the landing page where it is none. */
export function pageFor(name: string | undefined) {
  return name === 'teaser' ? <TeaserPage /> : <LandingPage />
}
