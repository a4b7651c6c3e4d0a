// A client-go program: typed and dynamic clients, shared informers, server-side apply, leader election by a Lease.
// Bodies of built-in kinds leave as protobuf, and informers start with a streaming list, as this version does it.
package main

import (
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"homeostat.dev/test/clients/steps"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	config := steps.Config()
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	clients := kubernetes.NewForConfigOrDie(config)
	widgets := dynamic.NewForConfigOrDie(steps.Config())
	namespace := steps.Namespace()

	list(ctx, clients, widgets, namespace)
	seen := watch(ctx, clients, widgets, namespace)
	create(ctx, clients, widgets, namespace)
	steps.Eventually(ctx, "watch", func() (bool, error) { return seen.has("typed/plain", "widgets/first"), nil })
	steps.Done("watch")
	apply(ctx, clients, widgets, namespace)
	status(ctx, widgets, namespace)
	finalizer(ctx, widgets, namespace)
	steps.Eventually(ctx, "watch", func() (bool, error) { return seen.has("gone/held"), nil })
	election(ctx, clients, namespace)
}

func list(ctx context.Context, clients *kubernetes.Clientset, widgets dynamic.Interface, namespace string) {
	spaces, err := clients.CoreV1().Namespaces().List(ctx, metav1.ListOptions{Limit: 2})
	steps.Check("list", err)
	steps.Expect("list", spaces.Continue != "" && len(spaces.Items) == 2, "a first page of two, got %v", spaces)
	rest, err := clients.CoreV1().Namespaces().List(ctx, metav1.ListOptions{Continue: spaces.Continue})
	steps.Check("list", err)
	steps.Expect("list", len(rest.Items) >= 3, "the other namespaces, got %d", len(rest.Items))
	found, err := widgets.Resource(steps.Widgets).Namespace(namespace).List(ctx, metav1.ListOptions{})
	steps.Check("list", err)
	steps.Expect("list", found.GetKind() == "WidgetList" && len(found.Items) == 0, "an empty list, got %v", found)
	steps.Done("list")
}

// sights are what the informers have told.
type sights struct {
	sync.Mutex
	names map[string]bool
}

func (s *sights) add(name string) {
	s.Lock()
	defer s.Unlock()
	s.names[name] = true
}

func (s *sights) has(names ...string) bool {
	s.Lock()
	defer s.Unlock()
	for _, name := range names {
		if !s.names[name] {
			return false
		}
	}
	return true
}

func watch(ctx context.Context, clients *kubernetes.Clientset, widgets dynamic.Interface, namespace string) *sights {
	seen := &sights{names: map[string]bool{}}
	typed := informers.NewSharedInformerFactoryWithOptions(clients, 0, informers.WithNamespace(namespace))
	maps := typed.Core().V1().ConfigMaps().Informer()
	_, err := maps.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { seen.add("typed/" + object.(*corev1.ConfigMap).Name) },
	})
	steps.Check("watch", err)
	untyped := dynamicinformer.NewFilteredDynamicSharedInformerFactory(widgets, 0, namespace, nil)
	informer := untyped.ForResource(steps.Widgets).Informer()
	_, err = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { seen.add("widgets/" + object.(*unstructured.Unstructured).GetName()) },
		DeleteFunc: func(object any) { seen.add("gone/" + object.(*unstructured.Unstructured).GetName()) },
	})
	steps.Check("watch", err)
	typed.Start(ctx.Done())
	untyped.Start(ctx.Done())
	synced := cache.WaitForCacheSync(ctx.Done(), maps.HasSynced, informer.HasSynced)
	steps.Expect("watch", synced, "informers that are in step with the server")
	return seen
}

func create(ctx context.Context, clients *kubernetes.Clientset, widgets dynamic.Interface, namespace string) {
	plain := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "plain"}, Data: map[string]string{"a": "1"}}
	made, err := clients.CoreV1().ConfigMaps(namespace).Create(ctx, plain, metav1.CreateOptions{})
	steps.Check("create", err)
	steps.Expect("create", made.UID != "" && made.Data["a"] == "1", "the config map back, got %v", made)
	_, err = clients.CoreV1().ConfigMaps(namespace).Create(ctx, plain, metav1.CreateOptions{})
	steps.Expect("create", apierrors.IsAlreadyExists(err), "AlreadyExists the second time, got %v", err)
	_, err = widgets.Resource(steps.Widgets).Namespace(namespace).Create(ctx, widget("first", 3), metav1.CreateOptions{})
	steps.Check("create", err)
	bad := widget("bad", 3)
	steps.Check("create", unstructured.SetNestedField(bad.Object, "large", "spec", "size"))
	_, err = widgets.Resource(steps.Widgets).Namespace(namespace).Create(ctx, bad, metav1.CreateOptions{})
	steps.Expect("create", apierrors.IsInvalid(err), "Invalid for a text as a number, got %v", err)
	steps.Done("create")
}

func apply(ctx context.Context, clients *kubernetes.Clientset, widgets dynamic.Interface, namespace string) {
	wanted := applycorev1.ConfigMap("applied", namespace).WithData(map[string]string{"a": "1"})
	_, err := clients.CoreV1().ConfigMaps(namespace).Apply(ctx, wanted, metav1.ApplyOptions{FieldManager: "one"})
	steps.Check("apply", err)
	other := applycorev1.ConfigMap("applied", namespace).WithData(map[string]string{"a": "2"})
	_, err = clients.CoreV1().ConfigMaps(namespace).Apply(ctx, other, metav1.ApplyOptions{FieldManager: "two"})
	steps.Expect("apply", apierrors.IsConflict(err), "a conflict with the first manager, got %v", err)
	forced, err := clients.CoreV1().ConfigMaps(namespace).Apply(ctx, other, metav1.ApplyOptions{FieldManager: "two", Force: true})
	steps.Check("apply", err)
	steps.Expect("apply", forced.Data["a"] == "2", "the forced value, got %v", forced.Data)
	mine, err := applycorev1.ExtractConfigMap(forced, "two")
	steps.Check("apply", err)
	steps.Expect("apply", mine.Data["a"] == "2", "what the second manager owns, got %v", mine)
	made, err := widgets.Resource(steps.Widgets).Namespace(namespace).Apply(ctx, "applied", widget("applied", 5), metav1.ApplyOptions{FieldManager: "one"})
	steps.Check("apply", err)
	again, err := widgets.Resource(steps.Widgets).Namespace(namespace).Apply(ctx, "applied", widget("applied", 5), metav1.ApplyOptions{FieldManager: "one"})
	steps.Check("apply", err)
	steps.Expect("apply", made.GetResourceVersion() == again.GetResourceVersion(), "no write for an unchanged apply")
	steps.Done("apply")
}

func status(ctx context.Context, widgets dynamic.Interface, namespace string) {
	space := widgets.Resource(steps.Widgets).Namespace(namespace)
	live, err := space.Get(ctx, "first", metav1.GetOptions{})
	steps.Check("status", err)
	steps.Check("status", unstructured.SetNestedField(live.Object, "Ready", "status", "phase"))
	steps.Check("status", unstructured.SetNestedField(live.Object, int64(9), "spec", "size"))
	stored, err := space.UpdateStatus(ctx, live, metav1.UpdateOptions{})
	steps.Check("status", err)
	phase, _, _ := unstructured.NestedString(stored.Object, "status", "phase")
	size, _, _ := unstructured.NestedInt64(stored.Object, "spec", "size")
	steps.Expect("status", phase == "Ready" && size == 3, "a new status and the old spec, got %v", stored.Object)
	_, err = space.UpdateStatus(ctx, live, metav1.UpdateOptions{})
	steps.Expect("status", apierrors.IsConflict(err), "a conflict for an old version, got %v", err)
	steps.Done("status")
}

func finalizer(ctx context.Context, widgets dynamic.Interface, namespace string) {
	space := widgets.Resource(steps.Widgets).Namespace(namespace)
	held := widget("held", 1)
	held.SetFinalizers([]string{"clients.example.com/hold"})
	_, err := space.Create(ctx, held, metav1.CreateOptions{})
	steps.Check("finalizer", err)
	steps.Check("finalizer", space.Delete(ctx, "held", metav1.DeleteOptions{}))
	live, err := space.Get(ctx, "held", metav1.GetOptions{})
	steps.Check("finalizer", err)
	steps.Expect("finalizer", live.GetDeletionTimestamp() != nil, "an object that waits to be deleted")
	_, err = space.Patch(ctx, "held", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
	steps.Check("finalizer", err)
	_, err = space.Get(ctx, "held", metav1.GetOptions{})
	steps.Expect("finalizer", apierrors.IsNotFound(err), "nothing after the last finalizer, got %v", err)
	steps.Done("finalizer")
}

func election(ctx context.Context, clients *kubernetes.Clientset, namespace string) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	led := make(chan bool, 1)
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: "election", Namespace: namespace},
			Client:     clients.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: "informer"},
		},
		ReleaseOnCancel: true,
		LeaseDuration:   4 * time.Second,
		RenewDeadline:   3 * time.Second,
		RetryPeriod:     200 * time.Millisecond,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) {
				led <- true
				// Long enough for a renewal.
				time.Sleep(500 * time.Millisecond)
				cancel()
			},
			OnStoppedLeading: func() {},
		},
	})
	steps.Expect("election", len(led) == 1, "to have led")
	lease, err := clients.CoordinationV1().Leases(namespace).Get(context.Background(), "election", metav1.GetOptions{})
	steps.Check("election", err)
	steps.Expect("election", lease.Spec.HolderIdentity != nil && *lease.Spec.HolderIdentity == "", "a released lease, got %v", lease.Spec)
	steps.Done("election")
}

func widget(name string, size int64) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"size": size}}}
	object.SetGroupVersionKind(steps.Widget)
	object.SetName(name)
	return object
}
