// A window above the page; the browser keeps the focus inside, and Escape closes it.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from './icons'

export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren }) {
  const box = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = box.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  const outside = (event: MouseEvent) => event.target === box.current && props.onClose()
  return (
    <dialog ref={box} aria-label={props.title} onClose={props.onClose} onClick={outside}>
      <div class="dialog">
        <header>
          <h2>{props.title}</h2>
          <button type="button" class="square" aria-label="Close" onClick={props.onClose}>
            <Icon name="close" />
          </button>
        </header>
        {props.children}
      </div>
    </dialog>
  )
}
