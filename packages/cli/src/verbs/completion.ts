// `homeostat completion bash|zsh|fish`: prints a short script that gets the candidates from `homeostat __complete`.

import { usageFault } from '../fault.ts'
import type { Terminal } from '../terminal.ts'

const BASH = `# bash completion for homeostat; source it, e.g. in ~/.bashrc: source <(homeostat completion bash)
_homeostat() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
    else
      COMPREPLY+=("$line")
    fi
  done < <(homeostat __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _homeostat homeostat
`

const ZSH = `#compdef homeostat
# zsh completion for homeostat; source it, e.g. in ~/.zshrc: source <(homeostat completion zsh)
_homeostat() {
  local -a found
  found=("\${(@f)$(homeostat __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if (( \${found[(Ie):files]} )); then
    _files
  else
    compadd -- "\${(@)found:#}"
  fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _homeostat homeostat
`

const FISH = `# fish completion for homeostat; e.g. in ~/.config/fish/config.fish: homeostat completion fish | source
function __homeostat_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (homeostat __complete $words[2..-1] 2>/dev/null)
  if contains -- :files $found
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $found
  end
end
complete -c homeostat -f -a '(__homeostat_complete)'
`

const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH }

export function completion(operands: readonly string[], terminal: Terminal): number {
  const [shell = '', extra] = operands
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined
  if (script === undefined || extra !== undefined) {
    throw usageFault(`name the shell: homeostat completion ${Object.keys(SCRIPTS).join('|')}`)
  }
  terminal.out(script)
  return 0
}
