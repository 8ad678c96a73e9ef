// The grid as an anywidget: what a notebook loads and calls with a model and an element.
import { mount, unmount } from "svelte";
import GridWidget from "./GridWidget.svelte";
import type { WidgetModel } from "./model";

function render({ model, el }: { model: WidgetModel; el: HTMLElement }): () => void {
  const widget = mount(GridWidget, { target: el, props: { model } });
  return () => void unmount(widget);
}

export default { render };
