import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

/**
 * The token of the mailed link that led here, taken out of the address bar: nobody else is to read it there, in the
 * history or in a picture of the screen. It stands in the fragment, and in mails of earlier versions in the query.
 */
export function useMailedToken(): string | undefined {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const given = tokenIn(hash.slice(1)) ?? tokenIn(search)
  const [token, setToken] = useState(given)
  const take = useEffectEvent((found: string) => {
    setToken(found)
    void navigate(pathname, { replace: true })
  })
  useEffect(() => {
    if (given !== undefined) take(given)
  }, [given])
  return token
}

function tokenIn(text: string): string | undefined {
  return new URLSearchParams(text).get('token') || undefined
}
