// A kube-rs program: typed and custom objects, a watcher, server-side apply, the finalizer helper, and a Lease taken
// as leader elections do. One line "ok STEP" for each step is read by the matrix test.
use std::{collections::HashSet, sync::{Arc, Mutex}, time::Duration};

use futures::StreamExt;
use k8s_openapi::api::{coordination::v1::Lease, core::v1::{ConfigMap, Namespace}};
use kube::{
    Api, Client, CustomResource, ResourceExt,
    api::{DeleteParams, ListParams, Patch, PatchParams, PostParams},
    runtime::{WatchStreamExt, controller::Action, finalizer::{Event, finalizer}, watcher},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[kube(group = "clients.example.com", version = "v1", kind = "Widget", namespaced, status = "WidgetStatus")]
struct WidgetSpec {
    size: i64,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
struct WidgetStatus {
    phase: String,
}

type Failure = Box<dyn std::error::Error>;

fn done(step: &str) {
    println!("ok {step}");
}

fn code<T>(result: kube::Result<T>) -> u16 {
    match result {
        Err(kube::Error::Api(status)) => status.code,
        _ => 0,
    }
}

async fn eventually(text: &str, ask: impl Fn() -> bool) {
    for _ in 0..6000 {
        if ask() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("not within 120 s: {text}");
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let client = Client::try_default().await?;
    let namespace = std::env::var("CLIENT_NAMESPACE")?;
    let widgets: Api<Widget> = Api::namespaced(client.clone(), &namespace);
    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), &namespace);

    let spaces: Api<Namespace> = Api::all(client.clone());
    let page = spaces.list(&ListParams::default().limit(2)).await?;
    assert!(page.items.len() == 2 && page.metadata.continue_.is_some(), "a first page of two namespaces");
    assert!(widgets.list(&ListParams::default()).await?.items.is_empty(), "no widgets yet");
    done("list");

    let seen: Arc<Mutex<HashSet<String>>> = Arc::default();
    tokio::spawn(follow(widgets.clone(), seen.clone()));

    let map: ConfigMap = serde_json::from_value(json!({"metadata": {"name": "plain"}, "data": {"a": "1"}}))?;
    maps.create(&PostParams::default(), &map).await?;
    widgets.create(&PostParams::default(), &Widget::new("first", WidgetSpec { size: 3 })).await?;
    let again = widgets.create(&PostParams::default(), &Widget::new("first", WidgetSpec { size: 3 })).await;
    assert_eq!(code(again), 409, "AlreadyExists the second time");
    done("create");

    let one = PatchParams::apply("one");
    let applied = |size| Patch::Apply(json!({"apiVersion": "clients.example.com/v1", "kind": "Widget", "metadata": {"name": "applied"}, "spec": {"size": size}}));
    let first = widgets.patch("applied", &one, &applied(5)).await?;
    let second = widgets.patch("applied", &one, &applied(5)).await?;
    assert_eq!(first.resource_version(), second.resource_version(), "no write for no change");
    assert_eq!(code(widgets.patch("applied", &PatchParams::apply("two"), &applied(6)).await), 409, "a conflict between managers");
    assert_eq!(widgets.patch("applied", &PatchParams::apply("two").force(), &applied(6)).await?.spec.size, 6);
    done("apply");

    let status = Patch::Merge(json!({"spec": {"size": 9}, "status": {"phase": "Ready"}}));
    let told = widgets.patch_status("first", &PatchParams::default(), &status).await?;
    assert!(told.spec.size == 3 && told.status.is_some_and(|status| status.phase == "Ready"), "a new status and the old spec");
    eventually("the watch tells", || seen.lock().is_ok_and(|seen| seen.contains("first Ready"))).await;
    done("watch");
    done("status");

    hold(&widgets, "first").await?;
    widgets.delete("first", &DeleteParams::default()).await?;
    let waiting = widgets.get("first").await?;
    assert!(waiting.metadata.deletion_timestamp.is_some(), "an object that waits to be deleted");
    hold(&widgets, "first").await?;
    assert_eq!(code(widgets.get("first").await), 404, "nothing after the last finalizer");
    eventually("the watch tells of the end", || seen.lock().is_ok_and(|seen| seen.contains("first gone"))).await;
    done("finalizer");

    elect(Api::namespaced(client, &namespace)).await?;
    done("election");
    Ok(())
}

async fn follow(widgets: Api<Widget>, seen: Arc<Mutex<HashSet<String>>>) {
    let mut events = watcher(widgets, watcher::Config::default().streaming_lists()).default_backoff().boxed();
    while let Some(event) = events.next().await {
        let sight = match event {
            Ok(watcher::Event::Apply(widget)) => {
                let phase = widget.status.as_ref().map(|status| status.phase.clone()).unwrap_or_default();
                format!("{} {}", widget.name_any(), phase)
            }
            Ok(watcher::Event::Delete(widget)) => format!("{} gone", widget.name_any()),
            Ok(_) => continue,
            Err(error) => format!("error {error}"),
        };
        if let Ok(mut seen) = seen.lock() {
            seen.insert(sight);
        }
    }
}

/// One turn of a reconciler with a finalizer: it adds the finalizer, or cleans up and takes it away.
async fn hold(widgets: &Api<Widget>, name: &str) -> Result<(), Failure> {
    let widget = Arc::new(widgets.get(name).await?);
    finalizer(widgets, "clients.example.com/hold", widget, |event| async move {
        match event {
            Event::Apply(_) | Event::Cleanup(_) => Ok::<_, std::convert::Infallible>(Action::await_change()),
        }
    })
    .await?;
    Ok(())
}

async fn elect(leases: Api<Lease>) -> Result<(), Failure> {
    let lease: Lease = serde_json::from_value(json!({
        "metadata": {"name": "election"},
        "spec": {"holderIdentity": "rust", "leaseDurationSeconds": 4, "renewTime": "2026-01-01T00:00:00.000000Z"}
    }))?;
    let mut held = leases.create(&PostParams::default(), &lease).await?;
    let stale = held.clone();
    if let Some(spec) = held.spec.as_mut() {
        spec.lease_transitions = Some(1);
    }
    leases.replace("election", &PostParams::default(), &held).await?;
    assert_eq!(code(leases.replace("election", &PostParams::default(), &stale).await), 409, "a conflict for whoever has not read");
    Ok(())
}
