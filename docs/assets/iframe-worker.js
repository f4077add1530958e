// A page that is opened from a file may not start a worker, so search would not work there. This stands in for one: the
// script runs in a hidden frame and exchanges messages with the page, as a worker does. On a server nothing changes.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.onmessage = this.onerror = null;
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      this.start(this.frame.contentWindow, address);
    }

    start(inside, address) {
      inside.postMessage = (data) => this.pass(this, data);
      const script = inside.document.createElement("script");
      script.src = address;
      script.onload = () => {
        this.ready = true;
        this.waiting.splice(0).forEach((data) => this.pass(inside, data));
      };
      script.onerror = () => this.onerror?.(new ErrorEvent("error", { message: `cannot load ${address}` }));
      inside.document.body.append(script);
    }

    pass(receiver, data) {
      setTimeout(() => {
        const event = new MessageEvent("message", { data });
        receiver.dispatchEvent(event);
        if (receiver === this) this.onmessage?.(event);
      });
    }

    postMessage(data) {
      if (this.ready) this.pass(this.frame.contentWindow, data);
      else this.waiting.push(data);
    }

    terminate() {
      this.frame.remove();
    }
  };
}
