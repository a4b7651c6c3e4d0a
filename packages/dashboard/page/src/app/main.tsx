// Where the page starts: finds the session, then shows the shell.

import { createRoot } from 'react-dom/client'
import { findSession } from '../connection/session.ts'
import { App } from './app.tsx'
import '../parts/tokens.css'
import '../parts/parts.css'
import './shell.css'

await findSession()
const place = document.getElementById('page')
if (place === null) throw new Error('the document has no place for the page')
createRoot(place).render(<App />)
