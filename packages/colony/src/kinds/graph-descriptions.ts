// The texts of `kubectl explain` for graphs. The fields of a node that are those of a Process have the Process's texts.

type Texts = Readonly<Record<string, string>>

/** Fields of a Process that a node does not have. */
const NOT_OF_NODES = ['spec.cancel', 'spec.inputFrom']

export function workTexts(process: Texts, path: string): Texts {
  return Object.fromEntries(
    Object.entries(process).flatMap(([field, text]) =>
      field.startsWith('spec.') && !NOT_OF_NODES.includes(field) ? [[`${path}.${field.slice(5)}`, text]] : [],
    ),
  )
}

/** The texts of a list of nodes at this path. */
export function nodeTexts(process: Texts, path: string): Texts {
  return {
    ...workTexts(process, path),
    [path]: 'The work, and what it depends on. At most 2,000 nodes; the list cannot be changed.',
    [`${path}.name`]: 'The name of the node, unique in the graph.',
    [`${path}.dependencies`]:
      'The nodes that have to end before this one begins. Their outputs are its input, in this order.',
    [`${path}.onFailure`]:
      'What a failure means: fail fails what depends on the node and the graph; continue ignores it. Default: that of the graph.',
    [`${path}.when`]: 'The node is skipped unless all of these conditions hold when its dependencies have ended.',
    [`${path}.when.node`]: 'The dependency that is looked at.',
    [`${path}.when.phase`]:
      'The dependency has ended in this phase. A failure that a condition names does not fail this node.',
    [`${path}.when.pointer`]: 'A JSON pointer into the output of the dependency. Empty is the whole output.',
    [`${path}.when.operator`]: 'How the value at the pointer is compared with value. Default Equals.',
    [`${path}.when.value`]: 'What the value at the pointer is compared with: any JSON.',
    [`${path}.reuse`]: 'The Process of an earlier graph whose output stands for this node, which does not run again.',
  }
}

const PHASE_COUNTS = ['pending', 'waiting', 'running', 'succeeded', 'failed', 'cancelled', 'skipped']

export function graphDescriptions(process: Texts, conditions: Texts): Texts {
  return {
    '': 'Processes that depend on each other. A node becomes a Process when all that it depends on has ended.',
    spec: 'The nodes. Only cancel and ttlSecondsAfterFinished can be changed later.',
    ...nodeTexts(process, 'spec.nodes'),
    'spec.parts': 'The ProcessGraphParts with the nodes of a graph of more than 2,000. They have to exist first.',
    'spec.onFailure': 'What a failure of a node means that does not say. Default fail.',
    'spec.cancel': 'Set to true to cancel what waits and runs. This cannot be taken back.',
    'spec.ttlSecondsAfterFinished':
      'The graph is deleted, with its Processes, this long after its end. If absent, it is kept.',
    'spec.rerunOf': 'The graph that this one runs again.',
    'spec.rerunOf.name': 'Its name.',
    'spec.rerunOf.uid': 'Its uid.',
    status: 'How far the graph is. The colony writes it, at most once a second.',
    'status.phase': 'Waiting, Running, Succeeded, Failed or Cancelled.',
    'status.nodes': 'How many nodes are in which phase.',
    'status.nodes.total': 'All nodes, with those that were added while the graph ran.',
    ...Object.fromEntries(PHASE_COUNTS.map((phase) => [`status.nodes.${phase}`, `Nodes that are ${phase}.`])),
    'status.failed': 'The names of the first failed nodes, at most 100.',
    'status.removed': 'Nodes whose Process was deleted before the graph had ended.',
    'status.removed.name': 'The node.',
    'status.removed.phase': 'The phase that counts for it.',
    'status.startedAt': 'When the first node was released.',
    'status.finishedAt': 'When the last node ended.',
    ...conditions,
    'status.conditions': 'Complete or Failed when the graph has ended (Failed also when it was cancelled).',
  }
}

export function partDescriptions(process: Texts): Texts {
  return {
    '': 'Nodes of a ProcessGraph that is too large for one object. It is created before its graph and deleted with it.',
    spec: 'The nodes. They cannot be changed.',
    'spec.graph': 'The name of the graph, whose spec.parts has the name of this part.',
    ...nodeTexts(process, 'spec.nodes'),
    status: 'Not used.',
  }
}
