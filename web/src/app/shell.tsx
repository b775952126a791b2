import { Suspense, useState } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { texts } from '../shared/texts.ts'
import { FullScreenSpinner } from '../ui/full-screen-spinner.tsx'
import { ScreenBoundary } from '../ui/screen-boundary.tsx'
import { NavigationDrawer } from './navigation-drawer.tsx'
import { NavigationList } from './navigation-list.tsx'
import './shell.css'
import { ShellHeader } from './shell-header.tsx'

/** The frame around every screen of a logged-in person. */
export function Shell() {
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const { pathname } = useLocation()
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        {texts.general.skipToContent}
      </a>
      <ShellHeader onOpenNavigation={() => setDrawerOpen(true)} />
      <aside className="shell-sidebar">
        <NavigationList />
      </aside>
      <NavigationDrawer isOpen={isDrawerOpen} onClose={() => setDrawerOpen(false)} />
      <main id="content" className="shell-content" tabIndex={-1}>
        <ScreenBoundary key={pathname}>
          <Suspense fallback={<FullScreenSpinner />}>
            <Outlet />
          </Suspense>
        </ScreenBoundary>
      </main>
    </div>
  )
}
