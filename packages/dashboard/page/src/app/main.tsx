// Where the page starts: finds the session, or ends the login that begins one, then shows the shell.

import { createRoot } from 'react-dom/client'
import { finishLogin } from '../connection/provider-login.ts'
import { findSession } from '../connection/session.ts'
import { App } from './app.tsx'
import '../parts/tokens.css'
import '../parts/parts.css'
import './shell.css'

if (!(await finishLogin())) await findSession()
const place = document.getElementById('page')
if (place === null) throw new Error('the document has no place for the page')
createRoot(place).render(<App />)
