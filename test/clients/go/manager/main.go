// An operator on controller-runtime: a manager with leader election and a reconciler that adds a finalizer, applies a
// config map of its own, writes events and the status, and lets go when the widget is deleted.
package main

import (
	"context"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"homeostat.dev/test/clients/steps"
)

const finalizer = "clients.example.com/manager"

type reconciler struct {
	client.Client
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	widget := &unstructured.Unstructured{}
	widget.SetGroupVersionKind(steps.Widget)
	if err := r.Get(ctx, request.NamespacedName, widget); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if widget.GetDeletionTimestamp() != nil {
		if controllerutil.RemoveFinalizer(widget, finalizer) {
			return ctrl.Result{}, r.Update(ctx, widget)
		}
		return ctrl.Result{}, nil
	}
	if controllerutil.AddFinalizer(widget, finalizer) {
		if err := r.Update(ctx, widget); err != nil {
			return ctrl.Result{}, err
		}
	}
	child := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: widget.GetNamespace(), Name: widget.GetName()}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, child, func() error {
		child.Data = map[string]string{"made-for": widget.GetName()}
		return controllerutil.SetControllerReference(widget, child, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	phase, _, _ := unstructured.NestedString(widget.Object, "status", "phase")
	if phase == "Ready" {
		return ctrl.Result{}, nil
	}
	if err := unstructured.SetNestedField(widget.Object, "Ready", "status", "phase"); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Status().Update(ctx, widget)
}

func main() {
	log.SetLogger(zap.New(zap.WriteTo(os.Stderr)))
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	namespace := steps.Namespace()
	duration, deadline, retry := 4*time.Second, 3*time.Second, 200*time.Millisecond
	manager, err := ctrl.NewManager(steps.Config(), ctrl.Options{
		LeaderElection:                true,
		LeaderElectionID:              "manager.clients.example.com",
		LeaderElectionNamespace:       namespace,
		LeaderElectionReleaseOnCancel: true,
		LeaseDuration:                 &duration,
		RenewDeadline:                 &deadline,
		RetryPeriod:                   &retry,
		Metrics:                       metricsserver.Options{BindAddress: "0"},
	})
	steps.Check("manager", err)
	widgets := &unstructured.Unstructured{}
	widgets.SetGroupVersionKind(steps.Widget)
	err = ctrl.NewControllerManagedBy(manager).For(widgets).Owns(&corev1.ConfigMap{}).Complete(&reconciler{manager.GetClient()})
	steps.Check("manager", err)
	ended := make(chan error, 1)
	managing, stop := context.WithCancel(ctx)
	go func() { ended <- manager.Start(managing) }()
	<-manager.Elected()
	steps.Done("election")
	drive(ctx, manager.GetClient(), manager.GetAPIReader(), namespace)
	stop()
	steps.Check("manager", <-ended)
	steps.Done("stop")
}

// drive is the user of the operator.
func drive(ctx context.Context, writer client.Client, reader client.Reader, namespace string) {
	mine := client.InNamespace(namespace)
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(steps.Widget.GroupVersion().WithKind("WidgetList"))
	steps.Check("list", writer.List(ctx, list, mine))
	steps.Done("list")

	widget := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"size": int64(1)}}}
	widget.SetGroupVersionKind(steps.Widget)
	widget.SetNamespace(namespace)
	widget.SetName("managed")
	steps.Check("apply", writer.Apply(ctx, client.ApplyConfigurationFromUnstructured(widget.DeepCopy()), client.FieldOwner("driver"), client.ForceOwnership))
	steps.Done("apply")

	key := client.ObjectKeyFromObject(widget)
	steps.Eventually(ctx, "status", func() (bool, error) {
		err := reader.Get(ctx, key, widget)
		phase, _, _ := unstructured.NestedString(widget.Object, "status", "phase")
		return phase == "Ready" && controllerutil.ContainsFinalizer(widget, finalizer), err
	})
	steps.Done("watch")
	steps.Done("status")

	child := &corev1.ConfigMap{}
	steps.Check("create", reader.Get(ctx, key, child))
	steps.Expect("create", metav1.IsControlledBy(child, widget), "the child to be the widget's, got %v", child.OwnerReferences)
	steps.Check("create", writer.Delete(ctx, child))
	steps.Eventually(ctx, "create", func() (bool, error) {
		again := &corev1.ConfigMap{}
		err := reader.Get(ctx, key, again)
		return err == nil && again.UID != child.UID, err
	})
	steps.Done("create")

	steps.Check("finalizer", writer.Delete(ctx, widget))
	steps.Eventually(ctx, "finalizer", func() (bool, error) {
		err := reader.Get(ctx, key, widget)
		return apierrors.IsNotFound(err), err
	})
	steps.Eventually(ctx, "finalizer", func() (bool, error) {
		err := reader.Get(ctx, key, child)
		return apierrors.IsNotFound(err), err
	})
	steps.Done("finalizer")
}
